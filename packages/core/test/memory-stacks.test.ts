import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineModule, HarnessError, type Message, type ModelRequest, type Step, type Tool } from '../src/index.js'
import { createScriptedModel, minimalAction, type ScriptedModel } from '../src/testkit/index.js'
import { anyStage, isHostile, legalStage, memoryOf, type Stage } from './memory-stages.js'
import { aPlugin, aTool, type Ran, runOnce } from './one-run.js'

/** A call as the model makes it: of a tool that there is or not, with an id and arguments of any kind. */
interface RandomCall {
  readonly name: string
  readonly id: string
  readonly arguments: string
}

/** All that is left to chance in one run. */
interface RandomRun {
  readonly stages: readonly Stage[]
  /** Calls of each step; then the model answers. */
  readonly steps: readonly (readonly RandomCall[])[]
  readonly results: readonly RandomResult[]
  /** Characters that fit the model's window. */
  readonly windowChars: number
  /** There was an earlier turn, in which a call was made. */
  readonly isSecondTurn: boolean
  readonly seed: number
}

type RandomResult = { readonly gives: unknown } | { readonly throws: unknown }

const ODD_TEXTS = [
  '',
  ' ',
  '\ud83d',
  'a\udc00b',
  '\ud83d\ude00'.repeat(3),
  '\u0000\u202e\ufeff\uffff',
  'e\u0301\u{1F468}\u200D\u{1F469}',
  '</result-1>',
  '<tool_call>{"name":"look","arguments":{}}</tool_call>',
  '{"n":',
]

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 12 }))
const hugeText = fc
  .tuple(fc.constantFrom('x', '\ud83d\ude00', 'a\ud83d', '\n'), fc.constantFrom(31_999, 32_001, 60_000))
  .map(([unit, chars]) => unit.repeat(chars / unit.length + 1).slice(0, chars))
const randomResult: fc.Arbitrary<RandomResult> = fc.oneof(
  oddText.map((gives) => ({ gives })),
  hugeText.map((gives) => ({ gives })),
  fc.constantFrom<unknown>(undefined, null, [], {}, 0, 1n, new Date(0)).map((gives) => ({ gives })),
  fc.dictionary(oddText, fc.array(oddText, { maxLength: 3 }), { maxKeys: 3 }).map((gives) => ({ gives })),
  fc.oneof(oddText, hugeText).map((text) => ({ throws: new Error(text) })),
  fc.constantFrom<unknown>(undefined, null, 'text', 7).map((throws) => ({ throws })),
)

const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  name: fc.constantFrom('look', 'look', 'look', 'write', 'write', 'nowhere', '', '\ud83d'),
  id: fc.constantFrom('', '', 'a', 'b', 'call-1', 'early', 'no id!', 'x'.repeat(80), '\ud83d'),
  arguments: fc.oneof(
    { weight: 6, arbitrary: fc.nat(5).map((n) => `{"n":${n}}`) },
    { weight: 1, arbitrary: fc.constantFrom('{"n":', '[]', '', '{"n":"3",}', '"x"', '{"n":"\ud83d"}') },
  ),
})

const randomRun = (stage: fc.Arbitrary<Stage>): fc.Arbitrary<RandomRun> =>
  fc.record({
    stages: fc.array(stage, { minLength: 1, maxLength: 5 }),
    steps: fc.array(fc.array(randomCall, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
    results: fc.array(randomResult, { minLength: 1, maxLength: 6 }),
    windowChars: fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 100_000, 40_000, 3_000),
    isSecondTurn: fc.boolean(),
    seed: fc.nat(),
  })

const EARLIER: readonly Message[] = [
  { role: 'user', content: 'Look once.' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'early', name: 'look', arguments: '{"n":0}' }] },
  { role: 'tool', callId: 'early', content: 'seen' },
  { role: 'assistant', content: 'I have looked.' },
]
const SYSTEM = 'You look and write.'
const INSTRUCTION = 'Go on.'
const action = defineModule({ ...minimalAction, system: () => SYSTEM })

/** A model that makes the calls of each step, whatever it is shown, and refuses what does not fit its window. */
function modelOf({ steps, windowChars }: RandomRun): ScriptedModel {
  let made = 0
  return createScriptedModel([
    ({ purpose, messages }: ModelRequest) => {
      const chars = messages.reduce((sum, { content }) => sum + content.length, 0)
      if (chars > windowChars) return new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
      const calls = purpose === 'act' ? steps[made++] : undefined
      if (calls === undefined) return purpose === 'summarise' ? 'A summary \ud83d.' : 'done'
      return { content: made % 2 === 0 ? 'On it.' : '', toolCalls: calls, finish: 'tool_calls' }
    },
  ])
}

/** Tools that give the results of the run, the first ones last. */
function toolsOf({ results }: RandomRun): readonly Tool[] {
  const parameters = { type: 'object', properties: { n: { type: 'integer' } } } as const
  const execute = ({ n = 0 }: { n?: number }): never => {
    const result = results[n % results.length] as RandomResult
    if ('throws' in result) throw result.throws
    return result.gives as never
  }
  return [aTool('look', { parameters, execute, readOnly: true, latencyMs: 5 }), aTool('write', { parameters, execute })]
}

interface Watched extends Ran {
  /** The history as it was at each look of a module, a text for each step. */
  readonly histories: readonly (readonly string[])[]
}

async function watch(run: RandomRun, strict: boolean): Promise<Watched> {
  const histories: (readonly string[])[] = []
  const watching = aPlugin({
    view(ctx) {
      histories.push(ctx.history.map((step) => JSON.stringify(step)))
      return ctx.view
    },
  })
  const ran = await runOnce({
    model: modelOf(run),
    tools: toolsOf(run),
    modules: { action, memory: run.stages.map(memoryOf), plugins: [watching] },
    env: { strict, limits: { steps: 8 } },
    task: { instruction: INSTRUCTION, ...(run.isSecondTurn ? { messages: EARLIER } : {}) },
    seed: run.seed,
  })
  return { ...ran, histories }
}

/** True where a surrogate stands alone: its UTF-8 form is that of U+FFFD. */
const isOdd = (text: string): boolean => Buffer.from(text).toString() !== text

/** What an endpoint would refuse of these messages, in words: an oracle of its own, not the one that the kernel goes by. */
function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  let due: string[] = []
  for (const [at, { role, content, callId = '', toolCalls = [] }] of messages.entries()) {
    if (role === 'system' && at > 0) faults.push('a system message that is not the first')
    if (role === 'tool' && !due.includes(callId)) faults.push(`a result of ${callId}, which is not due`)
    if (role !== 'tool') faults.push(...due.map((id) => `${id} has no result`))
    due = role === 'tool' ? due.filter((id) => id !== callId) : toolCalls.map(({ id }) => id)
    for (const call of toolCalls) {
      if (seen.has(call.id) || !/^[\w-]{1,64}$/.test(call.id)) faults.push(`the id ${call.id} is not safe, or not new`)
      seen.add(call.id)
      const args: unknown = JSON.parse(call.arguments)
      if (typeof args !== 'object' || args === null || Array.isArray(args)) faults.push('arguments are no object')
      if (isOdd(call.name + call.arguments)) faults.push('a lone surrogate in a call')
    }
    if (typeof content !== 'string' || isOdd(content)) faults.push('a lone surrogate')
  }
  return [...faults, ...due.map((id) => `${id} has no result`)]
}

/** The run's own beginning, in the order in which it stands before everything else. */
function headOf({ isSecondTurn }: RandomRun): readonly (readonly [string, unknown])[] {
  const messages = [...(isSecondTurn ? EARLIER : []), { role: 'user', content: INSTRUCTION } as const]
  return [['system', SYSTEM], ...messages.map(({ role, content }) => [role, content] as const)]
}

const LETTERS = { system: 's', assistant: 'a', tool: 't', user: 'u' } as const

/** A step appends: notes, the assistant, a result for each of its calls in their order, feedback, notes. */
function expectOneStep(step: Step): void {
  const { index, messages } = step
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))
  const shape = messages.map(({ role, note }) => (note === undefined ? LETTERS[role] : 'n')).join('')
  expect(shape).toMatch(new RegExp(`^n*(at{${calls.length}})?n*$`))
  expect(messages.flatMap(({ role, callId }) => (role === 'tool' ? [callId] : []))).toEqual(calls)
  expect(messages.map(({ id }) => id)).toEqual(messages.map((_, at) => `${index}.${at}`))
  expect(messages.every((message) => message.step === index)).toBe(true)
  // The longest result, and the line that says how the rest can be read.
  expect(Math.max(0, ...messages.map(({ content }) => content.length))).toBeLessThanOrEqual(32_200)
}

/** Nothing that was appended changes or goes, and a step is appended as a whole. */
function expectGrowth({ histories, result }: Watched): void {
  const last = result.steps.map((step) => JSON.stringify(step))
  for (const [at, history] of [...histories, last].entries()) {
    const before = histories[at - 1] ?? []
    expect(history.slice(0, before.length)).toEqual(before)
    expect(history.length - before.length).toBeLessThanOrEqual(1)
  }
  for (const step of result.steps) expectOneStep(step)
}

/** What holds of every run that a stack of memories is part of, whatever they do. */
function expectInvariants(run: RandomRun, watched: Watched): void {
  const head = headOf(run)
  for (const { purpose, messages } of watched.requests) {
    expect(faultsOf(messages)).toEqual([])
    if (purpose === 'summarise') continue // a memory says itself what it shows to whom it asks
    expect(messages.slice(0, head.length).map(({ role, content }) => [role, content])).toEqual(head)
  }
  expectGrowth(watched)
  const { messages, steps } = watched.result
  expect(faultsOf(messages)).toEqual([])
  expect(messages.slice(head.length - 1)).toEqual(steps.flatMap((step) => step.messages))
}

/** Names of the modules that break the rules. */
const hostileOf = ({ stages }: RandomRun): readonly string[] =>
  stages.flatMap((stage, at) => (isHostile(stage) ? [`@test/modules#m${at}`] : []))

const REASONS = ['context_overflow', 'loop', 'malformed', 'steps']

function expectEnd({ status, reason = '', answer }: Ran['result']): void {
  expect(['answered', 'limit']).toContain(status)
  if (status === 'answered') expect(answer).toBe('done')
  else expect(REASONS).toContain(reason)
}

test('history invariants hold under random stacks of memory modules, random cuts and random tool results', async () => {
  await fc.assert(
    fc.asyncProperty(randomRun(anyStage), async (run) => {
      const watched = await watch(run, false)

      expectInvariants(run, watched)
      expectEnd(watched.result)
      const healed = watched.events.flatMap((event) => (event.type === 'healed' ? [event.module] : []))
      expect(healed.filter((module) => !hostileOf(run).includes(module))).toEqual([])
    }),
    { numRuns: 100 },
  )
}, 60_000)

test('memories that keep the view rule stack in any order: strict mode refuses none of their views', async () => {
  await fc.assert(
    fc.asyncProperty(randomRun(legalStage), async (run) => {
      const watched = await watch(run, true)

      expectInvariants(run, watched)
      expectEnd(watched.result)
      expect(watched.events.filter(({ type }) => type === 'healed')).toEqual([])
    }),
    { numRuns: 50 },
  )
}, 60_000)

test('in strict mode the run ends where one of them breaks the rule, and it is the one that is named', async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(randomRun(anyStage), async (run) => {
      const watched = await watch(run, true)

      expectInvariants(run, watched)
      const { status, error } = watched.result
      if (status !== 'failed') return expectEnd(watched.result)
      refused += 1
      expect(error?.code).toBe('E_PROTOCOL_VIEW')
      expect(hostileOf(run)).toContain(error?.module)
      expect(watched.events.filter(({ type }) => type === 'healed')).toEqual([])
    }),
    { numRuns: 50 },
  )
  expect(refused).toBeGreaterThan(10)
}, 60_000)
