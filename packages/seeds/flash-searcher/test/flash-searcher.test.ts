import { createEnvironment, type HarnessEvent, type Json, type RunResult, type Tool } from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  resumeLaw,
  type Script,
  type ScriptedModel,
} from '@harnesswright/core/testkit'
import { planning } from '@harnesswright/seed-flash-searcher'
import { action, memory } from '@harnesswright/seed-react'
import { describe, expect, test } from 'vitest'

/** How long a search takes, in ms of the virtual clock. */
const SEARCH_MS = 3_000

const search: Tool = {
  name: 'search',
  description: 'Searches for a name.',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  readOnly: true,
  idempotent: true,
  latencyMs: SEARCH_MS,
  execute: ({ name }: { name: string }) => {
    if (name.startsWith('no ')) throw new Error('nobody has it')
    return `${name} is 100 m`
  },
}

const PLAN = JSON.stringify({
  goals: [
    { id: '1', text: 'find Alba', dependsOn: [], paths: ['the gazetteer', 'the survey'] },
    { id: '2', text: 'find Borm', dependsOn: [], paths: ['find Borm'] },
    { id: '3', text: 'add them up', dependsOn: ['1', '2'], paths: ['by hand'] },
  ],
})
const reviewed = (...goals: readonly object[]): string =>
  JSON.stringify({
    goals: goals.map((goal) => ({ text: '', status: 'active', evidence: '', pathFailed: false, ...goal })),
  })
const BOTH_FOUND = reviewed(
  { id: '1', status: 'done', evidence: 'Alba is 100 m' },
  { id: '2', status: 'done', evidence: 'Borm is 100 m' },
)

interface Setup {
  /** What the model says when it acts; its last word is the answer. */
  readonly act?: readonly Script[]
  /** Steps of which each makes a search, instead of `act`. */
  readonly steps?: number
  readonly plan?: Script
  readonly review?: readonly Script[]
  readonly options?: { readonly [name: string]: Json }
  readonly faithfulAction?: boolean
  readonly tools?: readonly Tool[]
}

interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  readonly events: readonly HarnessEvent[]
}

async function run({ act, steps = 3, plan = PLAN, review = [BOTH_FOUND], options = {}, ...rest }: Setup): Promise<Ran> {
  const searches = Array.from({ length: steps - 1 }, (_, at): Script => ({ call: 'search', with: { name: `N${at}` } }))
  const model = createScriptedModel({ plan: [plan], review, act: act ?? [...searches, 'done'] })
  const events: HarnessEvent[] = []
  const env = createEnvironment({
    model,
    tools: rest.tools ?? [search],
    clock: createVirtualClock(),
    strict: true,
    observe: (event) => events.push(event),
  })
  const own = new Map([
    [planning, options],
    [action, { faithful: rest.faithfulAction === true }],
  ])
  const harness = await assembleModules({ memory, planning, action, options: own }, env)
  return { result: await harness.run('How high are Alba and Borm together?').result, model, events }
}

const acts = ({ requests }: ScriptedModel) => requests.filter(({ purpose }) => purpose === 'act')
const directiveOf = (request: { readonly messages: readonly { readonly content: unknown }[] } | undefined): string =>
  String(request?.messages.at(-1)?.content)

describe('the plan', () => {
  test('is asked for once, before the first step, as JSON, with the tools in its request and none on offer', async () => {
    const { model } = await run({})

    const [first, ...rest] = model.requests
    expect(first).toMatchObject({ purpose: 'plan', schema: { title: 'plan' } })
    expect(first?.tools).toBeUndefined()
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(first?.messages.at(-1)?.content).toContain('search: Searches for a name.')
    expect(rest.some(({ purpose }) => purpose === 'plan')).toBe(false)
  })

  test('is a note in the history, with what each goal waits for and the ways that say something', async () => {
    const { result } = await run({})

    expect(result.messages.filter(({ note }) => note === 'plan').map(({ content }) => content)).toEqual([
      'Goals:\n1. find Alba (open)\n   - the gazetteer (open)\n   - the survey (open)\n2. find Borm (open)\n3. add them up (open, after 1, 2)\n   - by hand (open)',
    ])
  })

  test('that cannot be read leaves the run without one', async () => {
    const { result, model } = await run({ plan: 'That is hard to say.', steps: 10 })

    expect(result.status).toBe('answered')
    expect(result.messages.some(({ note }) => note === 'plan')).toBe(false)
    expect(model.requests.some(({ purpose }) => purpose === 'review')).toBe(false)
  })

  test('is made from as much of the tool list as the option says', async () => {
    const long: Tool = { ...search, name: 'zoom', description: 'x'.repeat(400) }
    const short = await run({ options: { toolChars: 200 }, tools: [search, long] })
    const whole = await run({ tools: [search, long] })

    expect(directiveOf(short.model.requests[0])).toMatch(/\n- zoom: x{100,170}…$/)
    expect(directiveOf(whole.model.requests[0])).toMatch(/\n- zoom: x{400}$/)
  })
})

describe('the directive', () => {
  test('names every goal that waits for nothing, with the way to try now, then those that wait; it is not recorded', async () => {
    const { result, model } = await run({})

    const text = directiveOf(acts(model)[0])
    expect(text).toContain('1. find Alba\n   by: the gazetteer\n2. find Borm\n')
    expect(text).toMatch(/When those are reached:\n3\. add them up\n {3}by: by hand$/)
    expect(text).not.toContain('the survey')
    expect(result.messages.some(({ content }) => content === text)).toBe(false)
    expect(result.steps[0]?.directive.plan?.goals).toHaveLength(3)
  })

  test('goes on to what waited once the goals before it are reached, and says when all are', async () => {
    const done = reviewed({ id: '3', status: 'done', evidence: '200 m' })
    const { model } = await run({ steps: 18, review: [BOTH_FOUND, done] })

    expect(directiveOf(acts(model)[7])).toMatch(/\n3\. add them up/)
    expect(directiveOf(acts(model)[7])).not.toContain('find Alba')
    expect(directiveOf(acts(model).at(-1))).toBe(
      'Every goal is reached or given up. See that the task is answered in full, then give the answer.',
    )
  })
})

describe('calls of one reply', () => {
  const both: Script = { calls: ['Alba', 'Borm', 'Cersk'].map((name) => ({ call: 'search', with: { name } })) }

  test('are asked for, and those of tools that only read are made at once', async () => {
    const { result, model } = await run({ act: [both, 'done'] })

    expect(acts(model)[0]?.parallelToolCalls).toBe(true)
    expect(result.ms).toBe(SEARCH_MS)
    expect(result.steps[0]?.observations.map(({ content }) => content)).toEqual([
      'Alba is 100 m',
      'Borm is 100 m',
      'Cersk is 100 m',
    ])
  })

  test('are made one after another with the faithful action, as published', async () => {
    const { result } = await run({ act: [both, 'done'], faithfulAction: true })

    expect(result.ms).toBe(3 * SEARCH_MS)
  })
})

describe('a review', () => {
  test('comes at steps 8 and 16, takes no step, and its words stay in the history (D15.1)', async () => {
    const { result, model } = await run({ steps: 17 })

    const steps = result.steps.filter(({ modelCalls }) => modelCalls.some(({ purpose }) => purpose === 'review'))
    expect(steps.map(({ index, action: { kind } }) => [index, kind])).toEqual([
      [8, 'call'],
      [16, 'call'],
    ])
    expect(result.steps).toHaveLength(17)
    expect(result.messages.filter(({ note }) => note === 'review')).toHaveLength(2)
    const request = model.requests.find(({ purpose }) => purpose === 'review')
    expect(request).toMatchObject({ schema: { title: 'review' } })
    expect(request?.tools).toBeUndefined()
  })

  test('takes step 8 for itself when faithful, and the directive is the whole plan as it then stands (D15.1)', async () => {
    const { result, model } = await run({ steps: 9, options: { faithful: true } })

    expect(result.steps.map(({ action: { kind } }) => kind)).toEqual([
      ...Array(7).fill('call'),
      'think',
      'call',
      'answer',
    ])
    expect(directiveOf(acts(model)[0])).toContain('1. find Alba (open)\n   - the gazetteer (open)')
    expect(directiveOf(acts(model).at(-1))).toContain('1. find Alba (done)')
  })

  test('comes early after failed calls, and the next one as many steps later as ever', async () => {
    const fail: Script = { call: 'search', with: { name: 'no Alba' } }
    const others = Array.from({ length: 12 }, (_, at): Script => ({ call: 'search', with: { name: `N${at}` } }))
    const act = [fail, { call: 'search', with: { name: 'no Borm' } }, { call: 'look' }, ...others, 'done']
    const usual = await run({ act })
    const faithful = await run({ act, options: { faithful: true } })

    const reviewSteps = ({ result }: Ran) =>
      result.steps
        .filter(({ modelCalls }) => modelCalls.some(({ purpose }) => purpose === 'review'))
        .map(({ index }) => index)
    expect(reviewSteps(usual)).toEqual([4, 12])
    expect(reviewSteps(faithful)).toEqual([8, 16])
  })

  test('changes the way of a goal where one has failed, which is an event, and the directive names the next', async () => {
    const { model, events } = await run({ steps: 10, review: [reviewed({ id: '1', pathFailed: true })] })

    expect(events.filter(({ type }) => type === 'custom')).toMatchObject([
      { name: 'path-switch', by: 'planning.0', step: 8, data: { goal: '1', from: 'the gazetteer', to: 'the survey' } },
    ])
    expect(directiveOf(acts(model).at(-1))).toContain('1. find Alba\n   by: the survey')
  })

  test('that cannot be read leaves the goals as they were', async () => {
    const { result } = await run({ steps: 10, review: ['All is well.'] })

    expect(result.steps[8]?.directive.plan).toEqual(result.steps[0]?.directive.plan)
  })

  test('does not rewrite what earlier steps recorded', async () => {
    const { result } = await run({ steps: 10 })

    expect(result.steps[0]?.directive.plan?.goals[0]?.status).toBe('open')
    expect(result.steps[8]?.directive.plan?.goals[0]?.status).toBe('done')
  })
})

test('the system message tells how goals advance, and how many calls a reply may make', async () => {
  const { model } = await run({ options: { maxCalls: 3 } })

  const system = acts(model)[0]?.messages[0]
  expect(system?.role).toBe('system')
  expect(system?.content).toContain('put calls for different goals into one reply, at most 3')
})

test('a run goes on from every point as if it had not been interrupted', async () => {
  const report = await resumeLaw({
    task: 'How high are Alba and Borm together?',
    async fresh(journal) {
      // A function of its request, so that it says the same wherever a run goes on.
      const model = createScriptedModel([], {
        after: ({ purpose, messages }) => {
          if (purpose === 'plan') return PLAN
          if (purpose === 'review') return reviewed({ id: '1', pathFailed: true })
          const made = messages.filter(({ role }) => role === 'tool').length
          return made < 9 ? { call: 'search', with: { name: `N${made}` } } : 'done'
        },
      })
      const env = createEnvironment({
        model,
        tools: [search],
        clock: createVirtualClock(),
        strict: true,
        newId: () => 'run',
        journal,
      })
      return { harness: await assembleModules({ memory, planning, action }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(20)
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ steps: 9 })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
