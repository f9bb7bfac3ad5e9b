import { createEnvironment, type Json, type JsonObject, type RunResult } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LEFT_OUT } from '../real-rows/src/bfcl/match-value.js'
import { normaliseSchema } from '../real-rows/src/bfcl/normalise-schema.js'
import { type BfclRow, CATEGORIES, type PossibleCall, readBfcl } from '../real-rows/src/bfcl/rows.js'
import { type MadeCall, scoreCalls } from '../real-rows/src/bfcl/score-calls.js'
import { bfcl } from '../real-rows/src/bfcl/suite.js'
import { finalNumber, type Gsm8kRow, scoreNumber } from '../real-rows/src/gsm8k.js'
import { makeHarness } from '../real-rows/src/harnesses.js'
import { noRows, readRows } from '../real-rows/src/read-rows.js'
import type { Suite } from '../real-rows/src/suite.js'

const title = (text: string): string => (noRows === undefined ? text : `${text} (skipped: ${noRows})`)

describe('the number of an answer', () => {
  test.each([
    ['#### 1,450,000', 1_450_000],
    ['The answer is $64.', 64],
    ['So 3 of 7 are left, which is 42.50 dollars', 42.5],
    ['10 - 3 = 7', 7],
    ['10-3', 3],
    ['it fell to -12 degrees', -12],
    ['#### -5', -5],
    ['#### 18\nThat took 3 steps.', 18],
    ['12 #### no', undefined],
    ['none', undefined],
    ['1,2', 2],
    ['costs 5%', 5],
    ['0.05', 0.05],
  ])('%j ends with %j', (text, number) => {
    expect(finalNumber(text)).toBe(number)
  })

  test.each([[null], [true], [''], [{ answer: 3 }]])('%j has none, and scores 0', (answer) => {
    expect(scoreNumber('#### 3', answer).reward).toBe(0)
  })
})

describe.skipIf(noRows !== undefined)(title('over all rows of GSM8K that are here'), () => {
  const rows = noRows === undefined ? readRows<Gsm8kRow>('gsm8k/test.dev.jsonl') : []

  test('the reference scores 1, and so does its number in other words', () => {
    for (const { answer } of rows) {
      const number = finalNumber(answer) as number
      const group = number.toLocaleString('en-US', { maximumFractionDigits: 20 })
      for (const said of [
        answer,
        number,
        `${number}`,
        `It is 3 + 4 = 7, so the answer is $${group}.`,
        `${number}.0 dollars`,
      ])
        expect(scoreNumber(answer, said).reward, `${answer.slice(-20)} ${said}`).toBe(1)
    }
  })

  test('another number scores 0, however little it differs', () => {
    const other = fc.oneof(
      fc.integer({ min: 1, max: 1_000 }).map((by) => (number: number) => number + by),
      fc.constantFrom(
        (number: number) => -number - 1,
        (number: number) => number * 10 + 1,
        (number: number) => number + 0.5,
        (number: number) => number - 1,
      ),
    )
    for (const { answer } of rows) {
      const number = finalNumber(answer) as number
      fc.assert(
        fc.property(other, (change) => {
          expect(scoreNumber(answer, `The answer is ${change(number)}.`).reward).toBe(0)
          expect(
            scoreNumber(answer, `${answer.slice(0, answer.lastIndexOf('####'))}#### ${change(number)}`).reward,
          ).toBe(0)
        }),
        { numRuns: 5 },
      )
    }
  })
})

/** A right call: of each parameter one of its values, or it is left out where it may be, and always so when lean. */
function rightCall(possible: PossibleCall, { function: functions }: BfclRow, isLean: boolean): fc.Arbitrary<MadeCall> {
  const [name, fields] = Object.entries(possible)[0] as [string, PossibleCall[string]]
  const parameters = functions.find((one) => one.name === name)?.parameters
  const required = (parameters?.['required'] ?? []) as readonly string[]
  return rightFields(fields as JsonObject, required, isLean).map((values) => ({ name, arguments: values }))
}

const ABSENT = Symbol('left out')

function rightFields(fields: JsonObject, required: readonly string[], isLean: boolean): fc.Arbitrary<JsonObject> {
  const entries = Object.entries(fields).map(([name, some]) => {
    const values = some as readonly Json[]
    const given = values.filter((value) => value !== LEFT_OUT).map((value) => rightValue(value, isLean))
    const isOptional = values.includes(LEFT_OUT) && !required.includes(name)
    if (isOptional && isLean) return fc.constant([name, ABSENT] as const)
    const all: fc.Arbitrary<Json | typeof ABSENT>[] =
      isOptional || given.length === 0 ? [...given, fc.constant(ABSENT)] : given
    return fc.oneof(...all).map((value) => [name, value] as const)
  })
  return fc
    .tuple(...entries)
    .map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== ABSENT)) as JsonObject)
}

function rightValue(value: Json, isLean: boolean): fc.Arbitrary<Json> {
  if (Array.isArray(value)) return fc.tuple(...(value as readonly Json[]).map((one) => rightValue(one, isLean)))
  if (value !== null && typeof value === 'object') return rightFields(value as JsonObject, [], isLean)
  return fc.constant(value)
}

const rightCalls = (row: BfclRow, isLean = false): fc.Arbitrary<readonly MadeCall[]> =>
  fc
    .tuple(...row.possible.map((one) => rightCall(one, row, isLean)))
    .chain((calls) => fc.shuffledSubarray(calls, { minLength: calls.length }))

type Change = (calls: readonly MadeCall[], at: number) => readonly MadeCall[] | undefined

const replaced = (calls: readonly MadeCall[], at: number, change: (call: MadeCall) => MadeCall): readonly MadeCall[] =>
  calls.map((call, index) => (index === at % calls.length ? change(call) : call))

const atCall = (calls: readonly MadeCall[], at: number): MadeCall | undefined => calls[at % calls.length]

/** What makes right calls wrong. Undefined where there is nothing to change. */
const CHANGES: Readonly<Record<string, Change>> = {
  'a call is left out': (calls) => calls.slice(1),
  'a call is made twice': (calls) => [...calls, ...calls.slice(0, 1)],
  'another function is called': (calls, at) => replaced(calls, at, (call) => ({ ...call, name: `${call.name}_2` })),
  'a dotted name is cut': (calls, at) =>
    atCall(calls, at)?.name.includes('.') === true
      ? replaced(calls, at, (call) => ({ ...call, name: call.name.replaceAll('.', '_') }))
      : undefined,
  'a parameter is made up': (calls, at) =>
    replaced(calls, at, (call) => ({ ...call, arguments: { ...call.arguments, 'made up': 1 } })),
  'a value is another one': (calls, at) =>
    Object.keys(atCall(calls, at)?.arguments ?? {}).length === 0
      ? undefined
      : replaced(calls, at, (call) => ({ ...call, arguments: withOther(call.arguments, at) })),
  'a value is in a list of its own': (calls, at) =>
    Object.keys(atCall(calls, at)?.arguments ?? {}).length === 0
      ? undefined
      : replaced(calls, at, (call) => ({
          ...call,
          arguments: mapOne(call.arguments, at, (value) => [value, value, 'x']),
        })),
}

const mapOne = (fields: JsonObject, at: number, change: (value: Json) => Json): JsonObject => {
  const names = Object.keys(fields)
  const name = names[at % names.length] as string
  return { ...fields, [name]: change(fields[name] as Json) }
}

const withOther = (fields: JsonObject, at: number): JsonObject => mapOne(fields, at, otherValue)

/** A value that no row has, however deep it is. */
function otherValue(value: Json): Json {
  if (typeof value === 'string') return `${value} wrong`
  if (typeof value === 'number') return value + 1_000_003
  if (typeof value === 'boolean' || value === null) return 'neither'
  if (Array.isArray(value)) return value.length === 0 ? ['one'] : [otherValue(value[0] as Json), ...value.slice(1)]
  const fields = value as JsonObject
  return Object.keys(fields).length === 0 ? { one: 1 } : withOther(fields, 0)
}

describe.skipIf(noRows !== undefined).each(CATEGORIES)(title('over all rows of BFCL %s that are here'), (category) => {
  const rows = noRows === undefined ? readBfcl(category) : []

  test('calls that are possible score 1, in any order', () => {
    for (const row of rows)
      fc.assert(
        fc.property(rightCalls(row), (calls) => {
          expect(scoreCalls(row, calls).reward, `${row.id} ${JSON.stringify(calls)}`).toBe(1)
        }),
        { numRuns: 10 },
      )
  })

  test.each(Object.keys(CHANGES))('they score 0 when %s', (name) => {
    const change = CHANGES[name] as Change
    for (const row of rows)
      fc.assert(
        fc.property(rightCalls(row), fc.nat(50), (calls, at) => {
          const wrong = calls.length === 0 ? [{ name: 'any', arguments: {} }] : change(calls, at)
          if (wrong !== undefined) expect(scoreCalls(row, wrong).reward, `${row.id} ${JSON.stringify(wrong)}`).toBe(0)
        }),
        { numRuns: 5 },
      )
  })
})

describe('calls are compared by their structure', () => {
  const row = (...possible: readonly PossibleCall[]): BfclRow => ({
    id: 'own',
    question: [],
    function: [{ name: 'a.b', description: '', parameters: { type: 'dict', required: ['x'] } }],
    possible,
  })
  const call = (values: JsonObject): MadeCall => ({ name: 'a.b', arguments: values })

  test('a call that fits two answers does not use up the only one of another', () => {
    const both = row({ 'a.b': { x: [1, 2] } }, { 'a.b': { x: [1] } })

    expect(scoreCalls(both, [call({ x: 1 }), call({ x: 2 })]).reward).toBe(1)
    expect(scoreCalls(both, [call({ x: 2 }), call({ x: 1 })]).reward).toBe(1)
    expect(scoreCalls(both, [call({ x: 2 }), call({ x: 2 })]).reward).toBe(0)
  })

  test('what is required is not left out, even where an answer allows it', () => {
    expect(scoreCalls(row({ 'a.b': { x: ['', 1] } }), [call({})]).reward).toBe(0)
  })

  test('texts are compared without case, spaces and some punctuation; numbers, truths and texts are never each other', () => {
    const city = row({ 'a.b': { x: ['New York, NY'] } })

    for (const x of ['new york NY', 'NewYork,NY']) expect(scoreCalls(city, [call({ x })]).reward).toBe(1)
    for (const x of ['New York', 'York New NY']) expect(scoreCalls(city, [call({ x })]).reward).toBe(0)
    expect(scoreCalls(row({ 'a.b': { x: [1] } }), [call({ x: '1' })]).reward).toBe(0)
    expect(scoreCalls(row({ 'a.b': { x: [true] } }), [call({ x: 1 })]).reward).toBe(0)
  })

  test('names that every object has are no parameters', () => {
    const odd = scoreCalls(row({ 'a.b': { x: [1] } }), [call(JSON.parse('{"x":1,"constructor":2}'))])

    expect(odd.reward).toBe(0)
    expect(scoreCalls(row({ 'a.b': { x: [1] } }), [{ name: 'constructor', arguments: {} }]).reward).toBe(0)
  })
})

describe('a schema of another dialect', () => {
  test('has the types and the words of draft 2020-12, at every depth, and says what was dropped', () => {
    const { schema, warnings } = normaliseSchema({
      type: 'dict',
      properties: {
        at: { type: 'tuple', items: { type: 'float' } },
        pair: { type: 'tuple', items: [{ type: 'float' }, { type: 'any' }], additionalItems: false },
        shade: { type: 'array', enum: ['red', 'blue'], items: { type: 'string' } },
        note: { type: 'string', optional: true, nullable: true },
        share: { type: 'float', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
        type: { type: 'dict', additionalProperties: { type: 'float' } },
        optional: { anyOf: [{ type: 'float' }, { type: 'dict' }] },
      },
      required: ['at'],
    })

    expect(schema).toEqual({
      type: 'object',
      properties: {
        at: { type: 'array', items: { type: 'number' } },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, {}], items: false },
        shade: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
        note: { type: ['string', 'null'] },
        share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
        type: { type: 'object', additionalProperties: { type: 'number' } },
        optional: { anyOf: [{ type: 'number' }, { type: 'object' }] },
      },
      required: ['at'],
    })
    expect(warnings).toEqual([
      '/properties/shade: "enum" of a list was read as that of its items',
      '/properties/note: "optional" was dropped',
    ])
  })

  test('that is of draft 2020-12 stays as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, b: { const: 'dict' } },
      required: ['a'],
    }

    expect(normaliseSchema(schema)).toEqual({ schema, warnings: [] })
  })
})

/** Rows none of whose answers fits their own schema: variables for lists, for one. */
const UNFIT: readonly string[] = ['parallel_multiple_21']

describe.skipIf(noRows !== undefined)(title('the suite over all rows of BFCL that are here'), () => {
  /** Plays the calls of a row in the harness react, through the kernel that checks arguments against the schemas. */
  async function play(suite: Suite<BfclRow>, row: BfclRow, calls: readonly MadeCall[]): Promise<RunResult> {
    const made = calls.map((one) => ({ call: one.name, with: one.arguments }))
    const model = createScriptedModel([...(made.length === 0 ? [] : [{ calls: made }]), 'done'])
    const env = createEnvironment({ model, tools: suite.tools(row), limits: { steps: 4 } })
    return await (await makeHarness('react', env, true)).run(suite.task(row), { seed: 1 }).result
  }

  /** Whether some possible calls of a row are carried out and right: not each of them fits the schema. */
  async function canBeRight(suite: Suite<BfclRow>, row: BfclRow): Promise<boolean> {
    for (const calls of fc.sample(rightCalls(row, true), { numRuns: 12, seed: 7 })) {
      const result = await play(suite, row, calls)
      expect(result.status).toBe('answered')
      if (suite.score(row, result).reward === 1) return suite.scoreFirst?.(row, result).reward === 1
    }
    return false
  }

  test.each(CATEGORIES)(
    '%s: calls that are possible are carried out and score 1 in a real run',
    async (category) => {
      const suite = bfcl(category)
      const never: string[] = []
      for (const row of suite.rows) if (!(await canBeRight(suite, row))) never.push(row.id)

      expect(never).toEqual(suite.rows.map(({ id }) => id).filter((id) => UNFIT.includes(id)))
    },
    60_000,
  )

  test('schemas are normalised with a warning for each thing that was dropped', () => {
    const warnings: string[] = []
    for (const category of CATEGORIES) {
      const suite = bfcl(category, (warning) => warnings.push(warning))
      for (const row of suite.rows) suite.tools(row)
    }

    expect(warnings.length).toBeGreaterThan(10)
    expect(
      warnings.filter((one) => !/: ("optional" was dropped|"enum" of a list was read as that of its items)$/.test(one)),
    ).toEqual([])
  })
})
