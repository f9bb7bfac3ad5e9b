import { createHash } from 'node:crypto'
import type { ModelRequest, RunResult } from '@harnesswright/core'
import { createScriptedModel, type Script } from '@harnesswright/core/testkit'
import { stepsOfTree } from '@harnesswright/seed-recursive/parts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembled, subtasks, TASK, taskOf } from './tree.js'

/** A number from 0 to `below` that is the same for the same request. */
function draw(request: ModelRequest, seed: number, below: number): number {
  const text = `${seed} ${taskOf(request)} ${request.purpose} ${request.messages.length}`
  return createHash('sha256').update(text).digest().readUInt32LE() % below
}

/** A model that divides most tasks, with dependencies of any kind, and calls tools for long where it does not. */
function dividing(seed: number) {
  return createScriptedModel([
    (request): Script => {
      const drawn = draw(request, seed, 1_000)
      if (request.purpose === 'atomise') return JSON.stringify({ is_atomic: drawn < 200 })
      if (request.purpose === 'plan') {
        const goals = Array.from({ length: 2 + (drawn % 4) }, (_, index) => `${taskOf(request).slice(0, 40)} ${index}.`)
        const needs = goals.map((_, index) => [String(index + 1), [(drawn * (index + 3)) % (goals.length + 2)]])
        return subtasks(goals, Object.fromEntries(drawn < 500 ? [] : needs))
      }
      return request.purpose === 'act' && drawn < 850
        ? { call: 'read', with: { page: request.messages.length } }
        : 'done'
    },
  ])
}

function depthOf({ children }: RunResult): number {
  return Object.values(children).reduce((most, child) => Math.max(most, 1 + depthOf(child)), 0)
}

test('however tasks are divided, the tree takes no more steps than the limit of the run (D15.8)', async () => {
  let deepest = 0
  const limits = fc.integer({ min: 1, max: 120 })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      limits,
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (seed, steps, leastSteps, faithful) => {
        const harness = await assembled(dividing(seed), { leastSteps, faithful })
        const result = await harness.run(TASK, { limits: { steps } }).result

        deepest = Math.max(deepest, depthOf(result))
        expect(stepsOfTree(result)).toBeLessThanOrEqual(steps)
        expect(['answered', 'limit']).toContain(result.status)
      },
    ),
    { numRuns: 40 },
  )
  expect(deepest).toBeGreaterThanOrEqual(2)
}, 60_000)
