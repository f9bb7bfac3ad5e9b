import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Ctx, defineModule, type Message, type Skill } from '../src/index.js'
import { createScriptedModel, minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

/** What a module finds in ctx, in the verb that a test names. */
async function seen<T>(look: (ctx: Ctx) => T, one: Parameters<typeof runOnce>[0] = {}, verb = 'direct'): Promise<T[]> {
  const all: T[] = []
  const plugin = aPlugin({
    stage: 'late',
    [verb]: (...args: readonly unknown[]) => {
      const ctx = args.at(-1) as Ctx
      all.push(look(ctx))
      return verb === 'direct' ? ctx.directive : undefined
    },
  })
  await runOnce({
    tools: [aTool('look')],
    script: [{ call: 'look' }, 'done'],
    ...one,
    modules: { ...one.modules, plugins: [...(one.modules?.plugins ?? []), plugin] },
  })
  return all
}

describe('ctx shows', () => {
  test('the task, as JSON, and not what the caller makes of it later', async () => {
    const task = { instruction: 'Look.', inputs: { a: [1] }, metadata: { kind: 'x' } }
    const [shown] = await seen((ctx) => ctx.task, { task })
    task.inputs.a.push(2)

    expect(shown).toEqual({ instruction: 'Look.', inputs: { a: [1] }, metadata: { kind: 'x' } })
  })

  test('the task without lone surrogates, and its seed whatever the number', async () => {
    const [shown] = await seen((ctx) => ctx.task, { task: { instruction: 'Look \ud83d.', inputs: { '\udc00': 1 } } })
    const { requests } = await runOnce({ seed: 0 })

    expect(shown).toEqual({ instruction: 'Look \ufffd.', inputs: { '\ufffd': 1 } })
    expect(requests[0]?.seed).toBe(0)
  })

  test('the step: 0 in start, then from 1; path, depth and resumed of a root run', async () => {
    expect(await seen((ctx) => [ctx.step, ctx.path, ctx.depth, ctx.resumed], {}, 'start')).toEqual([[0, '', 0, false]])
    expect(await seen((ctx) => ctx.step)).toEqual([1, 2])
    expect(await seen((ctx) => ctx.step, {}, 'record')).toEqual([1, 2])
  })

  test('head, view, directive and capabilities as the taps before left them', async () => {
    const modules = {
      memory: defineModule({
        slot: 'memory',
        summary: 'Adds a line.',
        view: (ctx) => ({ messages: [...ctx.view.messages, { role: 'user', content: 'remember' }] }),
      }),
      planning: defineModule({ slot: 'planning', summary: 'Plans.', direct: () => ({ text: 'look first' }) }),
      capability: defineModule({
        slot: 'capability',
        summary: 'Takes none.',
        select: () => ({ tools: [], skills: [] }),
      }),
      plugins: [aPlugin({ tools: () => [aTool('fold')] })],
    }
    const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)

    expect((await seen((ctx) => contents(ctx.head), { modules }))[0]).toEqual(['Do the task.'])
    expect((await seen((ctx) => contents(ctx.view.messages), { modules }))[0]).toEqual(['Do the task.', 'remember'])
    expect((await seen((ctx) => ctx.directive.text, { modules }))[0]).toBe('look first')
    const names = (ctx: Ctx) => ctx.capabilities.tools.map(({ name }) => name)
    expect((await seen(names, { modules }, 'act'))[0]).toBeUndefined() // the action module acted before
    expect((await seen(names, { modules }, 'modelRequest'))[0]).toEqual(['fold'])
  })

  test('the trajectory and its last step', async () => {
    expect(await seen((ctx) => [ctx.history.length, ctx.last?.index])).toEqual([
      [0, undefined],
      [1, 1],
    ])
  })

  test('the catalog of the environment, its own tools and those that modules bring', async () => {
    const skill: Skill = { name: 'sum', description: 'Sums.', text: 'Add them up.' }
    const [shown] = await seen(
      (ctx) => [
        ctx.catalog.tools.map(({ name }) => name),
        ctx.catalog.skills.map(({ name }) => name),
        ctx.tools.length,
        ctx.brought.map(({ name, owner }) => [name, owner]),
        ctx.children,
      ],
      { modules: { plugins: [aPlugin({ tools: () => [aTool('fold')] })] }, env: { skills: [skill] } },
    )

    expect(shown).toEqual([['look'], ['sum'], 0, [['fold', 'plugin.0']], {}])
  })

  test('the manifest and what is known of the model', async () => {
    const [shown] = await seen((ctx) => [ctx.manifest.name, ctx.modelInfo.id, ctx.modelInfo.contextWindow], {
      modules: { manifest: { name: 'mine' } },
      model: createScriptedModel(['done'], { contextWindow: 1_000 }),
    })

    expect(shown).toEqual(['mine', 'scripted', 1_000])
  })

  test('tools that are made once a run, with the owner that made them', async () => {
    let made = 0
    const plugin = aPlugin({
      tools: () => {
        made += 1
        return [aTool('fold')]
      },
    })
    const { requests } = await runOnce({
      modules: { plugins: [plugin] },
      tools: [aTool('look')],
      script: [{ call: 'look' }, { call: 'look' }, 'done'],
    })

    expect(made).toBe(1)
    expect(requests[2]?.tools?.[1]).toBe(requests[0]?.tools?.[1])
  })
})

describe('ctx.options', () => {
  test('are what the schema of the module makes of the manifest', async () => {
    const found: unknown[] = []
    const plugin = aPlugin({
      options: z.strictObject({ size: z.int().default(3).describe('Size.'), name: z.string().describe('Name.') }),
      start: (ctx) => void found.push(ctx.options),
    })
    await runOnce({ modules: { plugins: [plugin], options: new Map([[plugin, { name: 'x' }]]) } })

    expect(found).toEqual([{ size: 3, name: 'x' }])
  })
})

/** `prompt` as a module written in JavaScript may call it. */
interface Prompting {
  prompt(name: string, values?: object): string
}

describe('ctx.prompt', () => {
  const prompted = (look: (ctx: Prompting) => unknown) =>
    aPlugin({
      prompts: { hello: 'Hello {{name}}, {{name}}: {{n}}', plain: 'Plain.' },
      direct(ctx) {
        return { text: String(look(ctx as never)) }
      },
    })
  const text = async (look: Parameters<typeof prompted>[0]): Promise<string | undefined> => {
    const { result } = await runOnce({ modules: { plugins: [prompted(look)] } })
    return result.error === undefined ? result.steps[0]?.directive.text : `${result.error.code} ${result.error.message}`
  }

  test('fills in the variables, in one pass', async () => {
    expect(await text((ctx) => ctx.prompt('hello', { name: '{{n}}', n: 1 }))).toBe('Hello {{n}}, {{n}}: 1')
    expect(await text((ctx) => ctx.prompt('plain'))).toBe('Plain.')
  })

  test.each<[string, (ctx: Prompting) => unknown, RegExp]>([
    ['a variable that is missing', (ctx: Prompting) => ctx.prompt('hello', { name: 'x' }), /\{\{n\}\}/],
    ['a prompt that there is not', (ctx: Prompting) => ctx.prompt('bye'), /no prompt "bye"/],
    ['a name of every object', (ctx: Prompting) => ctx.prompt('constructor'), /no prompt "constructor"/],
  ])('with %s is E_RUN_PROMPT, and names the module', async (_, look, message) => {
    const { result } = await runOnce({ modules: { plugins: [prompted(look)] } })

    expect(result.error).toMatchObject({
      code: 'E_RUN_PROMPT',
      slot: 'plugin',
      module: '@test/modules#m1',
      step: 1,
      message: expect.stringMatching(message),
    })
  })
})

describe('ctx.state', () => {
  test('begins as the module says, after its options, and can be replaced as a whole', async () => {
    const states: unknown[] = []
    const plugin = aPlugin({
      options: z.object({ from: z.int().default(5).describe('First count.') }),
      state: ({ options }) => ({ count: options.from }),
      direct(ctx) {
        states.push(ctx.state)
        ctx.state = { count: ctx.state.count + 1 }
        return ctx.directive
      },
    })
    await runOnce({ modules: { plugins: [plugin] }, tools: [aTool('look')], script: [{ call: 'look' }, 'done'] })

    expect(states).toEqual([{ count: 5 }, { count: 6 }])
  })
})

describe('ctx.random', () => {
  const rolls = async (seed: number, plugins: number): Promise<readonly number[]> => {
    const rolled: number[] = []
    const plugin = aPlugin({ start: (ctx) => void rolled.push(ctx.random(), ctx.random()) })
    await runOnce({ modules: { plugins: Array.from({ length: plugins }, () => plugin) }, seed })
    return rolled
  }

  test('is a stream of the seed, of its own for each module', async () => {
    const rolled = await rolls(3, 2)

    expect(new Set(rolled).size).toBe(4)
    for (const roll of rolled) expect(roll >= 0 && roll < 1).toBe(true)
    expect(await rolls(3, 2)).toEqual(rolled)
    expect(await rolls(4, 2)).not.toEqual(rolled)
  })

  test('is not moved by what other modules roll', async () => {
    expect((await rolls(3, 2)).slice(0, 2)).toEqual(await rolls(3, 1))
  })
})

describe('ctx.model', () => {
  test('sends the request with the seed and the session of the run, and lists the call in the step, in order', async () => {
    const plugin = aPlugin({
      async direct(ctx) {
        const asked = ['a', 'b', 'c'].map((purpose) => ctx.model({ purpose, messages: ctx.head, temperature: 0.5 }))
        const replies = await Promise.all(asked)
        return { text: replies.map(({ content }) => content).join(' ') }
      },
    })
    const latencies: Readonly<Record<string, number>> = { a: 30, b: 10, c: 20 }
    const model = createScriptedModel([], {
      after: ({ purpose }) => ({ content: `said ${purpose}`, finish: 'stop', latencyMs: latencies[purpose] ?? 0 }),
    })
    const { requests, result } = await runOnce({ model, modules: { plugins: [plugin] }, seed: 9 })

    expect(requests.map(({ purpose, seed, session }) => [purpose, seed, session])).toEqual(
      ['a', 'b', 'c', 'act'].map((purpose) => [purpose, 9, 'run']),
    )
    expect(result.steps[0]?.directive.text).toBe('said a said b said c')
    expect(result.steps[0]?.modelCalls.map(({ purpose, by, model: id, ms }) => [purpose, by, id, ms])).toEqual([
      ['a', 'plugin.0', 'scripted', 30],
      ['b', 'plugin.0', 'scripted', 10],
      ['c', 'plugin.0', 'scripted', 20],
      ['act', 'action.0', 'scripted', 0],
    ])
  })

  test('takes another model of the environment by its id, and says which there are', async () => {
    const models = [createScriptedModel(['large'], { id: 'large' }), createScriptedModel(['small'], { id: 'small' })]
    const asking = (model: string) =>
      defineModule({
        slot: 'action',
        summary: 'Asks a certain model.',
        async act(ctx) {
          const reply = await ctx.model({ purpose: 'act', messages: ctx.head, model })
          return { kind: 'answer', answer: reply.content }
        },
      })

    expect((await runOnce({ modules: { action: asking('small') }, env: { model: models } })).result.answer).toBe(
      'small',
    )
    expect((await runOnce({ modules: { action: asking('tiny') }, env: { model: models } })).result.error).toMatchObject(
      {
        code: 'E_MODEL_UNKNOWN',
        message: expect.stringContaining('"tiny"'),
      },
    )
  })

  test('fails with the error of the model, coded, whatever the model threw', async () => {
    const failing = (error: Error) => runOnce({ model: createScriptedModel([error]) })

    expect((await failing(new Error('socket hang up'))).result).toMatchObject({
      status: 'failed',
      reason: 'E_MODEL_TRANSPORT',
      error: { code: 'E_MODEL_TRANSPORT', message: 'The model "scripted" failed: socket hang up' },
    })
    const { HarnessError } = await import('../src/index.js')
    expect((await failing(new HarnessError('E_MODEL_AUTH'))).result.error).toEqual({
      code: 'E_MODEL_AUTH',
      message: expect.any(String),
    })
  })

  test('does not let one failed call of several take the others with it', async () => {
    const plugin = aPlugin({
      async direct(ctx) {
        const asked = ['a', 'bad', 'c'].map((purpose) => ctx.model({ purpose, messages: ctx.head }))
        const settled = await Promise.allSettled(asked)
        return { text: settled.map(({ status }) => status).join(' ') }
      },
    })
    const model = createScriptedModel({ a: ['x'], bad: [new Error('no')], c: ['y'], act: ['done'] })
    const { result } = await runOnce({ model, modules: { plugins: [plugin] } })

    expect(result.steps[0]?.directive.text).toBe('fulfilled rejected fulfilled')
    expect(result.steps[0]?.modelCalls.map(({ purpose }) => purpose)).toEqual(['a', 'c', 'act'])
  })

  test('sends no lone surrogate, whoever wrote it', async () => {
    const planning = defineModule({ slot: 'planning', summary: 'x', direct: () => ({ text: 'look at \ud83d' }) })
    const { requests } = await runOnce({ modules: { planning }, task: 'What is \udc00?' })

    expect(requests[0]?.messages.map(({ content }) => content)).toEqual(['What is \ufffd?', 'look at \ufffd'])
  })
})

test('ctx.estimate grows with the messages, and follows what the model reported', async () => {
  const estimates = await seen((ctx) => [ctx.estimate([]), ctx.estimate(ctx.head), ctx.estimate(ctx.view.messages)])

  expect(estimates[0]?.[0]).toBe(0)
  expect(estimates[0]?.[1]).toBeGreaterThan(0)
  expect(estimates[1]?.[2]).toBeGreaterThan(estimates[1]?.[1] ?? 0)
  const counted = await seen((ctx) => ctx.estimate(ctx.head), { env: { countTokens: (text) => text.length } })
  expect(counted[0]).toBe('Do the task.'.length + 4)
})

test('ctx.log and ctx.emit are events, with the name of the module, and what is emitted is a copy', async () => {
  const data = { list: [1] }
  const plugin = aPlugin({
    start(ctx) {
      ctx.log('hello')
      ctx.emit('found', data)
      ctx.emit('nothing')
      data.list.push(2)
    },
  })
  const { events } = await runOnce({ modules: { plugins: [plugin] } })

  expect(events.filter(({ type }) => type === 'custom')).toMatchObject([
    { name: 'log', by: 'plugin.0', data: 'hello' },
    { name: 'found', by: 'plugin.0', data: { list: [1] } },
    { name: 'nothing', by: 'plugin.0' },
  ])
})

test('what is emitted and is no JSON is refused whether anybody listens or not', async () => {
  const { aHarness } = await import('./one-run.js')
  const plugin = aPlugin({ start: (ctx) => ctx.emit('found', (() => 1) as never) })
  const { harness } = await aHarness({ modules: { plugins: [plugin] } })

  expect((await harness.run('x').result).reason).toBe('E_RUN_MODULE')
  expect((await runOnce({ modules: { plugins: [plugin] } })).result.reason).toBe('E_RUN_MODULE')
})

test('ctx.put keeps a copy under an id, ctx.get gives it back, and the result lists it', async () => {
  const value = { a: [1] }
  const action = defineModule({
    ...minimalAction,
    act(ctx) {
      const id = ctx.put(value)
      value.a.push(2)
      return { kind: 'answer', answer: [id, ctx.get(id) ?? null, ctx.get('a2') ?? null] }
    },
  })
  const { result } = await runOnce({ modules: { action } })

  expect(result.answer).toEqual(['a1', { a: [1] }, null])
  expect(result.artifacts).toEqual(['a1'])
})

test('the task is shown with its inputs and what is handed over, each part in its place', async () => {
  const kept = new Map<string, unknown>([['doc', 'The colour is blue.']])
  const { requests } = await runOnce({
    task: { instruction: 'Which colour?', inputs: { of: 'sky' }, context: ['doc', 'gone'] },
    env: { artifacts: { put: () => {}, get: (id) => kept.get(id) as never } },
  })

  expect(requests[0]?.messages[0]?.content).toBe(
    'Which colour?\n\nInputs:\n{\n  "of": "sky"\n}\n\n<context>\nThe colour is blue.\n\nartifact gone is not available\n</context>',
  )
})
