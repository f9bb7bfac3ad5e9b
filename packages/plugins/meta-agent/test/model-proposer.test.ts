import {
  type Clock,
  defineModule,
  HarnessError,
  type Module,
  type PackageDescription,
  type Task,
} from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { compose, explainComposition } from '@harnesswright/plugin-meta-agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aComposer, anEnvironment, aReply, composedBy, seeds, task } from './composing.js'
import { aPackage, planPackage, reactModules } from './stand-ins.js'

const texts = ({ messages }: { readonly messages: readonly { readonly content: unknown }[] }): readonly string[] =>
  messages.map(({ content }) => content as string)

function aMemory(summary: string): Module {
  return defineModule({ slot: 'memory', summary, view: (ctx) => ctx.view })
}

/** The package, with a label that each of its modules provides. */
function withLabel(description: PackageDescription, label: string): PackageDescription {
  const modules = Object.entries(description.modules).map(([name, one]) => [name, { ...one, provides: [label] }])
  return { ...description, modules: Object.fromEntries(modules) }
}

describe('a model that composes', () => {
  test('writes the manifest of the harness, and what it expects of it is kept', async () => {
    const { manifest, route, analysis, harness } = await composedBy(aComposer([aReply()]))

    expect(route).toBe('model')
    expect(manifest).toMatchObject({
      protocol: 1,
      name: 'planned',
      packages: { '@harnesswright/seed-react': '^0.1.0', '@harnesswright/seed-plan-and-execute': '^0.1.0' },
      memory: { use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } },
      planning: { use: '@harnesswright/seed-plan-and-execute#planning', with: { maxGoals: 5 } },
      capability: null,
      action: { use: '@harnesswright/seed-react#action' },
    })
    expect(analysis).toEqual({
      by: 'composer',
      text: 'Many parts, each of them short.',
      predicted: { reward: 0.9, tokens: 60_000, steps: 14 },
    })
    expect(manifest.metadata).toEqual({ composed: analysis })
    expect((await harness.run(task).result).status).toBe('answered')
  })

  test('is asked for three candidates at once that differ by their seed, and the first that assembles is taken', async () => {
    const composer = aComposer([
      aReply({ action: { use: 'nobody#home' } }),
      aReply({ name: 'second' }),
      aReply({ name: 'third' }),
    ])
    const { manifest, attempts, explanation } = await composedBy(composer)

    expect(composer.requests.map(({ seed, temperature, purpose }) => [seed, temperature, purpose])).toEqual([
      [1, 1, 'compose'],
      [2, 1, 'compose'],
      [3, 1, 'compose'],
    ])
    expect(manifest.name).toBe('second')
    expect(attempts.map(({ route, problems }) => [route, problems.map(({ code }) => code)])).toEqual([
      ['model', ['E_MANIFEST_UNKNOWN_MODULE']],
      ['model', []],
    ])
    expect(explanation.map(({ because }) => because)).toEqual([
      'Candidate 1 of 3: Many parts, each of them short.',
      'Candidate 2 of 3: Many parts, each of them short.',
    ])
  })

  test('is asked only where the host wants it', async () => {
    const composer = aComposer([aReply()])

    expect((await composedBy(composer, { proposer: 'rules' })).route).toBe('rules')
    expect(composer.requests).toEqual([])
    expect((await compose(task, { env: anEnvironment({}, composer), catalog: seeds, proposer: 'model' })).route).toBe(
      'model',
    )
  })

  test('may name what a model may name, and no more', async () => {
    const reaching = { ...planPackage, description: { ...planPackage.description, authority: 'network' as const } }
    const catalog = createCatalog([aPackage('@harnesswright/seed-react', reactModules), reaching])
    const composer = aComposer([aReply({ memory: null })])
    const { route, attempts, manifest } = await composedBy(composer, { catalog })

    expect(texts(composer.requests[0] as never)[0]).not.toContain('plan-and-execute')
    expect(attempts[0]?.problems.map(({ code }) => code)).toContain('E_MANIFEST_AUTHORITY')
    expect(route).toBe('model')
    expect(manifest.planning).toBeNull()
  })
})

describe('a reply is read', () => {
  const bare = JSON.stringify(JSON.parse(aReply()).manifest)
  test.each([
    ['amid words', `Here it is:\n${aReply()}\nIt should do {well}.`],
    ['in a fence', `\`\`\`json\n${aReply()}\n\`\`\``],
    ['after thinking', `<think>{"action": {"use": "x"}}</think>${aReply()}`],
    ['after thinking that the template opened', `{"manifest": {}} no.</think>${aReply()}`],
    ['after an example', `{"analysis": "first draft"} {"manifest": {"action": null}}\n${aReply()}`],
    ['as a manifest alone', bare],
    ['as a whole manifest', JSON.stringify({ protocol: 1, packages: {}, metadata: { x: 1 }, ...JSON.parse(bare) })],
    ['with trailing commas', aReply().replaceAll('}', ',}')],
    ['in single quotes', aReply().replaceAll('"', "'")],
    [
      'with options in a list of one module',
      aReply({ memory: [{ use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } }] }),
    ],
  ])('%s', async (_how, content) => {
    const { route, manifest, attempts } = await composedBy(aComposer([content]), { asking: { candidates: 1 } })

    expect(attempts).toHaveLength(1)
    expect(route).toBe('model')
    expect(manifest.planning).toEqual({ use: '@harnesswright/seed-plan-and-execute#planning', with: { maxGoals: 5 } })
    expect([manifest.memory].flat()).toEqual([{ use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } }])
  })

  test('without a number where none was given, and a number that means nothing is none', async () => {
    const predicted = { reward: 7, tokens: 'many', steps: -1 }
    const { analysis } = await composedBy(aComposer([aReply({}, { predicted, analysis: 3 })]))

    expect(analysis).toMatchObject({ text: '', predicted: { reward: 1, tokens: null, steps: null } })
  })

  test('and what it holds beside a harness has no part in it', async () => {
    const { manifest } = await composedBy(
      aComposer([aReply({ limits: { steps: 1 }, codec: 'marker', $schema: 'https://x.test', extra: 1 })]),
    )

    expect(Object.keys(manifest).sort()).toEqual([
      'action',
      'capability',
      'memory',
      'metadata',
      'name',
      'packages',
      'planning',
      'protocol',
    ])
  })

  test('and never fails, whatever it holds', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '"',
        '[',
        ',',
        ':',
        '</think>',
        '```',
        '{"manifest":',
        '{"action":{"use":1}}',
        '"__proto__"',
        '{"manifest":{"memory":[[1]]}}',
      ),
      fc.string(),
      fc.json(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const { route } = await composedBy(aComposer([parts.join('')]), { asking: { candidates: 1 } })

        expect(['rules', 'model']).toContain(route)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a reply that cannot be used', () => {
  const wrong = aReply({
    action: { use: '@harnesswright/seed-react#actoin' },
    memory: { use: '@harnesswright/seed-react#memory', with: { fill: 7 } },
  })

  test('is mended in two rounds at most: by rules where they are sure, then by the model, then by rules', async () => {
    const composer = aComposer([wrong, wrong, wrong, '{"patch":[{"op":"remove","path":"/limits"}]}'])
    const { route, attempts, explanation, manifest } = await composedBy(composer)
    const [round] = attempts[0]?.repairs ?? []
    const [, told] = texts(composer.requests[3] as never)

    expect(composer.requests.map(({ purpose }) => purpose)).toEqual(['compose', 'compose', 'compose', 'repair'])
    expect(told).toContain('E_MANIFEST_OPTION at /memory/with/fill: ')
    expect(route).toBe('model')
    expect(manifest).toMatchObject({
      memory: { use: '@harnesswright/seed-react#memory', with: { fill: 0.9 } },
      action: { use: '@harnesswright/seed-react#action' },
    })
    expect(attempts).toMatchObject([{ route: 'model', outcome: 'taken', stage: 'validate' }])
    expect(round?.deltas.map(({ by, refused }) => [by, refused])).toEqual([
      ['rules', undefined],
      ['model composer', 'It touches /limits, which is outside /memory.'],
      ['rules', undefined],
    ])
    expect(explanation.map(({ rule, because }) => `${rule}: ${because}`)).toContain(
      'model composer: Candidate 2 of 3: the same harness as Candidate 1 of 3.',
    )
  })

  test('of which nothing can be read is asked for once more, with the fault', async () => {
    const composer = aComposer(['I cannot do that.', 'No.', '', aReply({ name: 'second-try' })])
    const { route, manifest } = await composedBy(composer)

    expect([route, manifest.name]).toEqual(['model', 'second-try'])
    expect(texts(composer.requests[3] as never).slice(0, 2)).toEqual(texts(composer.requests[0] as never))
    expect(texts(composer.requests[3] as never)[2]).toBe('I cannot do that.')
    expect(texts(composer.requests[3] as never)[3]).toContain(
      '- the manifest: The reply holds no JSON object. Reply with the JSON object alone. (E_COMPOSE_REPLY)',
    )
  })

  test.each([
    ['words', 'No.', 'The reply holds no JSON object.'],
    ['nothing', ' ', 'The reply is empty.'],
    ['other JSON', '{"a": 1}', 'The reply holds JSON, and no object with "manifest".'],
    ['JSON that was cut', aReply().slice(0, 200), 'The JSON of the reply is broken or cut.'],
    ['too much', 'x'.repeat(300_000), 'The reply has 300000 characters.'],
  ])('says why: %s', async (_what, content, why) => {
    const { explanation } = await composedBy(aComposer([content]), { asking: { candidates: 1 } })

    expect(explanation[0]).toEqual({ rule: 'model composer', applies: false, because: `Candidate 1 of 1: ${why}` })
  })

  test('names a module that needs what no other provides, of which the repair is told', async () => {
    const needy = defineModule({
      slot: 'memory',
      summary: 'Shows the plan.',
      requires: ['plan'],
      view: (ctx) => ctx.view,
    })
    const planner = { ...planPackage, description: withLabel(planPackage.description, 'plan') }
    const catalog = createCatalog([aPackage('@harnesswright/seed-react', { ...reactModules, needy }), planner])
    const composer = aComposer([aReply({ memory: { use: '@harnesswright/seed-react#needy' }, planning: null })])
    const { attempts, manifest } = await composedBy(composer, { catalog, asking: { candidates: 1 } })

    expect(attempts[0]).toMatchObject({
      stage: 'fit',
      problems: [{ code: 'E_PROTOCOL_REQUIRES', pointer: '/memory/use' }],
    })
    expect(manifest.memory).toBeNull()
    expect(texts(composer.requests[1] as never)[1]).toContain(
      'Add one of: @harnesswright/seed-plan-and-execute#planning (planning).',
    )
  })
})

describe('a model that fails', () => {
  test('gives way to the rules, and why is told', async () => {
    const failing = aComposer([new HarnessError('E_MODEL_AUTH', { message: 'The key is wrong.' })])
    const { route, explanation, spent } = await composedBy(failing)

    expect(route).toBe('rules')
    expect(explanation[0]).toMatchObject({ applies: false, because: 'Candidate 1 of 3: The key is wrong.' })
    expect(failing.requests).toHaveLength(3)
    expect(spent).toMatchObject({ modelCalls: 3, usd: null })
  })

  test('in one of three leaves the others', async () => {
    const { route, manifest } = await composedBy(aComposer([new Error('no line'), aReply({ name: 'second' })]))

    expect([route, manifest.name]).toEqual(['model', 'second'])
  })

  test('that never answers is left after its time, whatever it does with its signal', async () => {
    const silent = { ...createScriptedModel(['x'], { id: 'silent' }), generate: () => new Promise<never>(() => {}) }
    const env = anEnvironment()
    // A virtual clock stands still while a model works: here time is what passes by itself.
    const clock: Clock = {
      now: () => env.clock.now(),
      sleep: (ms, signal) => env.clock.sleep(ms, signal),
      during: (work) => work,
    }
    const { route, explanation, spent } = await composedBy(silent, {
      env: { ...env, clock },
      asking: { timeoutMs: 5_000 },
    })

    expect(route).toBe('rules')
    expect(explanation[0]?.because).toBe('Candidate 1 of 3: The model "silent" gave no reply in 5000 ms.')
    expect(spent.ms).toBeGreaterThanOrEqual(5_000)
  })

  test('is given up at once when the host gives up', async () => {
    const stop = new AbortController()
    const silent = { ...createScriptedModel(['x']), generate: () => new Promise<never>(() => {}) }
    const composing = composedBy(silent, { signal: stop.signal })
    stop.abort(new Error('enough'))

    await expect(composing).rejects.toThrow('enough')
    await expect(composedBy(aComposer([aReply()]), { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    )
  })

  test('as the simulated one, which composes nothing, leaves the rules', async () => {
    const simulated = aComposer([
      new HarnessError('E_SIM_NOT_A_COMPOSER', { message: 'A simulated model composes nothing.' }),
    ])

    expect((await composedBy(simulated)).route).toBe('rules')
  })
})

describe('what composing costs', () => {
  test('is counted, with money where the price is known, and taken off the limits of the run', async () => {
    const env = anEnvironment({ tokens: 500_000, usd: 1 })
    const { spent, limits } = await composedBy(aComposer([aReply()]), { env })

    expect(spent).toMatchObject({
      modelCalls: 3,
      usage: { inputTokens: 3_000, cachedTokens: 1_500, outputTokens: 600, source: 'known' },
    })
    expect(spent.usd).toBeCloseTo((1_500 * 1 + 1_500 * 0.1 + 600 * 4) / 1e6, 12)
    expect(limits).toMatchObject({ tokens: 496_400, usd: 1 - (spent.usd as number) })
  })

  test('is nothing without a model, and the limits are left as they are', async () => {
    const { spent, limits } = await compose(task, { env: anEnvironment(), catalog: seeds })

    expect(spent).toEqual({
      modelCalls: 0,
      usage: expect.objectContaining({ inputTokens: 0 }),
      usd: 0,
      ms: 0,
      calls: {},
    })
    expect(limits).toEqual({})
  })

  test('is at most a fifth of the limits: fewer candidates are asked for, or none, and it is said (K77)', async () => {
    const few = await composedBy(aComposer([aReply()]), { env: anEnvironment({ tokens: 60_000 }) })
    const none = await composedBy(aComposer([aReply()]), { env: anEnvironment({ tokens: 9_000 }) })
    const cheap = await composedBy(aComposer([aReply()]), { env: anEnvironment({ usd: 0.05 }) })

    expect([few.route, few.spent.modelCalls]).toEqual(['model', 1])
    expect(few.explanation[0]?.because).toBe(
      'The limits pay for 1 of 3 candidates: composing may take a fifth of them.',
    )
    expect([none.route, none.spent.modelCalls]).toEqual(['rules', 0])
    expect(none.explanation[0]).toMatchObject({ applies: false, because: expect.stringContaining('pay for 0 of 3') })
    expect(cheap.spent.modelCalls).toBeLessThan(3)
  })

  test('is told with the rest', async () => {
    const lines = explainComposition(await composedBy(aComposer([aReply()])))

    expect(lines).toEqual(
      expect.arrayContaining([
        'applies model composer: Candidate 1 of 3: Many parts, each of them short.',
        'route: model, manifest planned',
        'predicted: 90 % right, 60,000 tokens, 14 steps',
        expect.stringMatching(/^composing took 3 model calls, 3,600 tokens, 0\.004\d USD$/),
      ]),
    )
  })
})

describe('the prompt', () => {
  const long: Task = {
    instruction: 'word '.repeat(100_000),
    inputs: { text: 'x'.repeat(50_000) },
    files: Array.from({ length: 3_000 }, (_, index) => ({
      path: `folder/${'deep/'.repeat(40)}${index}.txt`,
      bytes: index,
    })),
    output: { description: 'y'.repeat(50_000) },
  }
  const tool = (index: number) => ({
    name: `tool_${index}`,
    description: 'z '.repeat(5_000),
    parameters: {},
    execute: () => '',
  })

  test('begins the same for every task, to the byte, and has the task last', async () => {
    const composer = aComposer([aReply()])
    await composedBy(composer)
    await compose('Say what is in note.txt.', { env: anEnvironment(), catalog: seeds, metaModel: composer })
    const [one, , , other] = composer.requests

    expect(one?.messages[0]).toEqual(other?.messages[0])
    expect(one?.session).toBe(other?.session)
    expect(texts(one as never)[1]?.endsWith('Make 8 visits and write down what you saw.')).toBe(true)
    expect(texts(other as never)[1]?.endsWith('Say what is in note.txt.')).toBe(true)
  })

  test('is bounded, however large the task and the catalog are (K78)', async () => {
    const module = (index: number) => aMemory(`Keeps ${'much '.repeat(500)}${index}.`)
    const catalog = createCatalog([
      aPackage('@harnesswright/seed-react', reactModules),
      ...Array.from({ length: 300 }, (_, index) => aPackage(`@acme/memory-${index}`, { one: module(index) })),
    ])
    const composer = aComposer([aReply({ planning: null })])
    const env = anEnvironment()
    const many = { ...env, tools: Array.from({ length: 500 }, (_, index) => tool(index)) }
    await compose(long, { env: many, catalog, metaModel: composer, asking: { candidates: 1 } })
    const [request] = composer.requests
    const size = texts(request as never).reduce((sum, text) => sum + text.length, 0)

    expect(size).toBeGreaterThan(20_000)
    expect(size).toBeLessThan(48_000)
    expect(JSON.stringify(request?.schema).length).toBeLessThan(60_000)
  })

  test('fits into a small window, with a reply that the model can give and a grammar that ends it', async () => {
    const module = (index: number) => aMemory(`Keeps ${'much '.repeat(50)}${index}.`)
    const catalog = createCatalog([
      aPackage('@harnesswright/seed-react', reactModules),
      ...Array.from({ length: 50 }, (_, index) => aPackage(`@acme/memory-${index}`, { one: module(index) })),
    ])
    const small = createScriptedModel([aReply({ planning: null })], { contextWindow: 8_192, maxOutputTokens: 1_024 })
    const asking = { candidates: 1, dialect: 'gbnf' } as const
    await compose(task, { env: anEnvironment(), catalog, metaModel: small, asking })
    const [request] = small.requests
    const { analysis, predicted } = (request?.schema?.['properties'] ?? {}) as Record<string, Record<string, unknown>>

    expect(texts(request as never)[0]?.length).toBeLessThan(15_000)
    expect(request?.maxTokens).toBe(1_024)
    expect(analysis).toMatchObject({ maxLength: 80 })
    for (const one of Object.values(predicted?.['properties'] as object)) expect(one).toHaveProperty('enum')
  })

  test('of a repair is bounded too, however long the manifest and its problems are (K78)', async () => {
    const options = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`option-${'x'.repeat(200)}-${index}`, index]),
    )
    const composer = aComposer([aReply({ memory: { use: '@harnesswright/seed-react#memory', with: options } })])
    await composedBy(composer, { asking: { candidates: 1 } })
    const sizes = composer.requests.map((request) =>
      texts(request as never).reduce((sum, text) => sum + text.length, 0),
    )

    for (const size of sizes.slice(1)) expect(size).toBeLessThan(12_000)
  })

  test('shows of more modules than fit those that the task speaks of', async () => {
    const about = (subject: string, index: number) =>
      aPackage(`@acme/memory-${index}`, { one: aMemory(`Remembers ${subject}.`) })
    const catalog = createCatalog([
      ...Array.from({ length: 80 }, (_, index) => about('anything else', index)),
      about('visits and what was seen', 99),
      aPackage('@harnesswright/seed-react', reactModules),
    ])
    const composer = aComposer([aReply({ planning: null })])
    await composedBy(composer, { catalog, asking: { candidates: 1 } })

    expect(texts(composer.requests[0] as never)[0]).toContain('### memory-99.one')
    expect(texts(composer.requests[0] as never)[0]?.match(/^### /gm)).toHaveLength(60)
  })

  test('says nothing that only a world or a suite would have', async () => {
    const composer = aComposer([aReply()])
    await composedBy(composer)

    expect(texts(composer.requests[0] as never).join('\n')).not.toMatch(/sim-|world|benchmark|gold/i)
  })
})

describe('options that mean nothing are refused, each by its name', () => {
  test.each([
    ['candidates', 0],
    ['candidates', 9],
    ['candidates', 1.5],
    ['temperature', 3],
    ['temperature', Number.NaN],
    ['timeoutMs', 0],
    ['maxTokens', -1],
    ['seed', 'x'],
    ['dialect', 'xml'],
  ])('%s %s', async (name, value) => {
    await expect(composedBy(aComposer([aReply()]), { asking: { [name]: value } })).rejects.toMatchObject({
      code: 'E_COMPOSE_OPTIONS',
      message: expect.stringContaining(`asking.${name} of compose`),
    })
  })
})
