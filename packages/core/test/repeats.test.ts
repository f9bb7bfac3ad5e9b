import { expect, test } from 'vitest'
import { type Action, createEnvironment, defineModule, type RunResult, type Tool } from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type Script,
  type ScriptedModel,
} from '../src/testkit/index.js'

let given = 0
const tool = (name: string, execute: Tool['execute']): Tool => ({
  name,
  description: 'x',
  parameters: { type: 'object', properties: { page: { type: 'integer' } } },
  readOnly: true,
  execute,
})
const same = tool('same', () => 'nothing new')
const alike = tool('alike', () => 'nothing new')
const other = tool('other', () => `news ${given++}`)
const call = (name: string, page = 1): Script => ({ call: name, with: { page } })

async function run(script: readonly Script[], repeats?: number): Promise<{ result: RunResult; model: ScriptedModel }> {
  const model = createScriptedModel({ act: script, finish: ['as far as I came'] })
  const env = createEnvironment({ model, tools: [same, alike, other], clock: createVirtualClock(), strict: true })
  const manifest = repeats === undefined ? {} : { manifest: { limits: { repeats } } }
  const harness = await assembleModules(manifest, env)
  return { result: await harness.run('Look around.').result, model }
}

const told = (result: RunResult) => result.messages.filter((message) => message.note === 'feedback').length

test('K33, K34: the same call with the same result is told once after three times, and ends the run as loop at the next', async () => {
  const { result, model } = await run([call('same')])

  expect(result).toMatchObject({ status: 'limit', reason: 'loop', answer: 'as far as I came' })
  expect(result.spent.toolCalls).toBe(4)
  expect(told(result)).toBe(1)
  expect(model.requests.map(({ purpose }) => purpose)).toEqual(['act', 'act', 'act', 'act', 'finish'])
})

test('a model that does something else after it was told goes on', async () => {
  const { result } = await run([
    call('same'),
    call('same'),
    call('same'),
    call('other'),
    call('same'),
    call('same'),
    'done',
  ])

  expect(result).toMatchObject({ status: 'answered', answer: 'done' })
  expect(told(result)).toBe(1)
})

test('changing results never trip it', async () => {
  const { result } = await run([...Array.from({ length: 12 }, () => call('other')), 'done'])

  expect(result.status).toBe('answered')
  expect(told(result)).toBe(0)
})

test('other arguments are another call', async () => {
  const { result } = await run([...Array.from({ length: 8 }, (_, page) => call('same', page)), 'done'])

  expect(result.status).toBe('answered')
  expect(told(result)).toBe(0)
})

test('a call without arguments is another than one with them', async () => {
  const script: Script[] = [call('same'), call('same'), { calls: [{ call: 'same' }] }, call('same'), 'done']
  const { result } = await run(script)

  expect(result.status).toBe('answered')
})

test('another tool with the same arguments and result is another call', async () => {
  const { result } = await run([call('same'), call('same'), call('alike'), call('same'), call('same'), 'done'])

  expect(result.status).toBe('answered')
  expect(told(result)).toBe(0)
})

test('a thought between two calls is something else', async () => {
  let step = 0
  const action = defineModule({
    slot: 'action',
    summary: 'Thinks after each second call.',
    act: (): Action => {
      if (++step === 9) return { kind: 'answer', answer: 'done' }
      if (step % 3 === 0) return { kind: 'think' }
      return { kind: 'call', calls: [{ id: '', name: 'same', arguments: '{}' }] }
    },
  })
  const env = createEnvironment({ model: createScriptedModel([]), tools: [same], clock: createVirtualClock() })
  const result = await (await assembleModules({ action }, env)).run('Look around.').result

  expect(result).toMatchObject({ status: 'answered', spent: { toolCalls: 6 } })
  expect(told(result)).toBe(0)
})

test('a step of which one call can be read is not unreadable', async () => {
  const half: Script = { calls: [{ call: 'other' }, { call: 'other', with: '{"page":' }] }
  const { result } = await run([half, half, half, half, 'done'])

  expect(result).toMatchObject({ status: 'answered', spent: { toolCalls: 4 } })
})

test('the same calls within one step count too, and the model is told before the run is ended', async () => {
  const four: Script = { calls: Array.from({ length: 4 }, () => ({ call: 'same', with: { page: 1 } })) }
  const { result } = await run([four])

  expect(result).toMatchObject({ status: 'limit', reason: 'loop', spent: { toolCalls: 8 } })
  expect(told(result)).toBe(1)
  expect((await run([four, 'done'])).result.status).toBe('answered')
})

test('the limit may be set lower or higher', async () => {
  for (const [repeats, calls] of [
    [2, 3],
    [1, 3], // one call is no repeat
  ] as const)
    expect((await run([call('same')], repeats)).result.spent.toolCalls).toBe(calls)
  const env = createEnvironment({
    model: createScriptedModel({ act: [call('same')], finish: ['x'] }),
    tools: [same],
    clock: createVirtualClock(),
    limits: { repeats: 6 },
  })
  expect((await (await assembleModules({}, env)).run('Look.').result).spent.toolCalls).toBe(7)
})
