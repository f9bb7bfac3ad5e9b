import { createHash } from 'node:crypto'
import type { ModelRequest, RunResult } from '@harnesswright/core'
import { createScriptedModel, type Script } from '@harnesswright/core/testkit'
import { stepsOfTree } from '@harnesswright/seed-recursive/parts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembled, delegate, offered, TASK, taskOf } from './agents.js'

/** A number from 0 to `below` that is the same for the same request. */
function draw(request: ModelRequest, seed: number, below: number): number {
  const text = `${seed} ${taskOf(request)} ${request.messages.length}`
  return createHash('sha256').update(text).digest().readUInt32LE() % below
}

/** A model that delegates most of the time, whatever it is, and else reads or answers. */
function delegating(seed: number) {
  return createScriptedModel([
    (request): Script => {
      const does = draw(request, seed, 10)
      const task = taskOf(request).slice(0, 60)
      if (offered(request).includes('delegate') && does < 6) {
        const pieces = Array.from(
          { length: 1 + (does % 4) },
          (_, index) => `${task} ${request.messages.length}.${index}`,
        )
        return { calls: pieces.map((piece) => delegate(piece)) }
      }
      if (offered(request).includes('read') && does < 9)
        return { call: 'read', with: { page: request.messages.length } }
      return 'done'
    },
  ])
}

function depthOf({ children }: RunResult): number {
  return Object.values(children).reduce((most, child) => Math.max(most, 1 + depthOf(child)), 0)
}

test('whatever agents delegate, down to the third level, the tree takes no more steps than the limit of the run', async () => {
  let deepest = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 90 }), async (seed, steps) => {
      const { harness } = await assembled(delegating(seed), { leastSteps: 1 })
      const result = await harness.run(TASK, { limits: { steps } }).result

      deepest = Math.max(deepest, depthOf(result))
      expect(stepsOfTree(result)).toBeLessThanOrEqual(steps)
      expect(['answered', 'limit']).toContain(result.status)
    }),
    { numRuns: 30 },
  )
  expect(deepest).toBe(3)
}, 60_000)
