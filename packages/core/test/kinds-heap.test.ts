import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createEnvironment, type Harness, type Model } from '../src/index.js'
import { assembleModules, createVirtualClock } from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

const RUNS = 1_000

/** Looks twice, each time at 10,000 characters that no other run sees, and answers. Unlike a scripted model it keeps nothing. */
const model: Model = {
  id: 'forgetful',
  supports: { tools: true, jsonSchema: true },
  generate: async ({ messages }) =>
    messages.filter(({ role }) => role === 'tool').length < 2
      ? { content: '', toolCalls: [{ id: '', name: 'look', arguments: '{}' }], finish: 'tool_calls' }
      : { content: 'done', finish: 'stop' },
}

let looks = 0
const look = aTool('look', { execute: () => `${looks++}`.padEnd(10_000, '·') })
const counting = aPlugin({
  state: () => ({ seen: [] as string[] }),
  toolResult(observation, ctx) {
    ctx.state.seen.push(observation.content)
    ctx.put(observation.content)
    return undefined
  },
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are in use when everything has been collected that can be. */
function heapUsed(): number {
  for (let count = 0; count < 3; count++) collect()
  return process.memoryUsage().heapUsed
}

/** Runs, every other one read; gives how many were answered. */
async function runAll(harness: Harness, count: number): Promise<number> {
  const { signal } = new AbortController()
  let answered = 0
  for (let index = 0; index < count; index++) {
    const run = harness.run('Look.', { signal })
    if (index % 2 === 0) for await (const event of run) if (event.type === 'run-end') answered++
    if ((await run.result).status === 'answered') answered++
  }
  return answered
}

test('K74: the heap after 1000 runs is what it was before, though each of them made 20,000 characters that it records', async () => {
  // Artifacts are the host's to keep: this one keeps none.
  const artifacts = { put: () => {}, get: () => undefined }
  const env = createEnvironment({ model, tools: [look], clock: createVirtualClock(), artifacts })
  const harness = await assembleModules({ plugins: [counting] }, env)
  await runAll(harness, RUNS) // by then all is made that is made once: caches, compiled code
  const grown: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = heapUsed()
    expect(await runAll(harness, RUNS)).toBe(1.5 * RUNS)
    grown.push((heapUsed() - before) / RUNS)
  }

  // The tables of weak maps grow by leaps; what is kept grows in every round.
  expect(Math.min(...grown)).toBeLessThan(300)
}, 120_000)
