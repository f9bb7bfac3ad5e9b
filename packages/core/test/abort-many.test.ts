import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aHarness } from './one-run.js'

// A host may end everything that it runs with one signal.

const MANY = 1_000
const warnings: Error[] = []
const keep = (warning: Error): void => void (warning.name === 'MaxListenersExceededWarning' && warnings.push(warning))

beforeEach(() => void process.on('warning', keep))
afterEach(() => {
  process.off('warning', keep)
  warnings.length = 0
})

/** Runs that all wait for their model, with one signal for all of them. */
async function manyRuns(signal: AbortSignal): Promise<{ readonly runs: readonly Run[]; readonly answer: () => void }> {
  const [asked, answered] = [deferred<void>(), deferred<void>()]
  const scripted = createScriptedModel(Array.from({ length: MANY }, () => 'done'))
  let waiting = 0
  const model: typeof scripted = {
    ...scripted,
    generate: async (...request) => {
      if (++waiting === MANY) asked.resolve()
      await answered.promise
      return await scripted.generate(...request)
    },
  }
  const { harness } = await aHarness({ model })
  const runs = Array.from({ length: MANY }, () => harness.run('Do the task.', { signal }))
  await asked.promise
  return { runs, answer: () => answered.resolve() }
}

const statusesOf = async (runs: readonly Run[]): Promise<readonly string[]> => [
  ...new Set((await Promise.all(runs.map(({ result }) => result))).map(({ status }) => status)),
]

test('K42: a thousand runs on one signal put one listener on it, give no warning, and leave none behind', async () => {
  const { signal } = new AbortController()
  const { runs, answer } = await manyRuns(signal)

  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  answer()
  expect(await statusesOf(runs)).toEqual(['answered'])
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(warnings).toEqual([])
})

test('K42: the signal ends all of them', async () => {
  const stop = new AbortController()
  const { runs } = await manyRuns(stop.signal)
  stop.abort(new Error('enough'))

  expect(await statusesOf(runs)).toEqual(['aborted'])
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  expect(warnings).toEqual([])
})
