import type { LabRecord } from '@harnesswright/plugin-meta-agent'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { expect, test } from 'vitest'
import { evaluationOf } from './evaluation-of.js'

const model = createSimModel({ profile: 'sim-mid' })
const measured = { by: 'stream', model, clusterId: 'tasks-1', limits: {}, rewardKind: 'hard' } as const

function aRecord(reward: number | null): LabRecord {
  const outcome = { reward, tokens: 10, usd: 0.1, ms: 5, steps: 2, route: 'fixed', end: 'answered' } as const
  return { task: 't1', choice: 'react', seed: 1, outcome: { ...outcome, manifestId: 'm', harnessId: 'h' } }
}

test('a run that the endpoint failed is masked, and what was made again in its place is another entry', () => {
  const [failed, again] = [evaluationOf(aRecord(null), measured), evaluationOf(aRecord(1), measured)]

  expect([failed.masked, again.masked]).toEqual([true, false])
  expect(again.id).not.toBe(failed.id)
  expect(evaluationOf(aRecord(1), measured).id).toBe(again.id)
})
