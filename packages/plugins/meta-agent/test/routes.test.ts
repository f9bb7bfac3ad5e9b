import { type Catalog, defineModule, type Environment, type Manifest, type Use } from '@harnesswright/core'
import { type FaultAnswer, type FaultRequest, minimalMemory, say, startFaultServer } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import {
  type ComposeOptions,
  type Composition,
  compose,
  explainComposition,
  type HarnessReference,
  recordOf,
} from '@harnesswright/plugin-meta-agent'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anEnvironment, aReply, task } from './composing.js'
import { allSeeds, seedManifests, seedPackages } from './thirteen-seeds.js'

const REACT = '@harnesswright/seed-react'

/** Modules that fail in ways that only a run, or its fitting together, shows. */
const oddPackage = definePackage({
  name: '@acme/odd',
  version: '1.0.0',
  modules: {
    breaks: defineModule({
      ...minimalMemory,
      summary: 'Throws at step 3.',
      view: (ctx) => {
        if (ctx.step === 3) throw new Error('no third step')
        return ctx.view
      },
    }),
    needy: defineModule({ ...minimalMemory, summary: 'Needs what nobody has.', requires: ['oracle'] }),
  },
})

const reachingPackage = definePackage({
  name: '@acme/reaching',
  version: '1.0.0',
  authority: 'network',
  modules: { memory: minimalMemory },
})

/** A module of which the host says where it writes. */
const notesPackage = definePackage({
  name: '@acme/notes',
  version: '1.0.0',
  authority: 'workspace',
  modules: {
    memory: defineModule({
      ...minimalMemory,
      summary: 'Keeps notes.',
      options: z.object({ root: z.string().optional().describe('Folder of the notes.').meta({ host: true }) }),
    }),
  },
})

const catalog: Catalog = createCatalog([...seedPackages, oddPackage, reachingPackage, notesPackage])

/** Composes at a real endpoint on this computer: what it says when it composes, and when it repairs. */
async function composedAt(
  composing: string | ((request: FaultRequest) => string),
  repairing: string | ((request: FaultRequest) => string) = 'I cannot.',
  options: Partial<ComposeOptions> & { readonly env?: Environment } = {},
) {
  const server = await startFaultServer((request, earlier) => {
    const system = JSON.stringify((request.body as { messages?: unknown }).messages)
    const by = system.includes('You mend the manifest') ? repairing : composing
    return say(typeof by === 'string' ? by : by(request))(request, earlier)
  })
  try {
    const metaModel = createOpenAiModel({ model: 'composer', baseUrl: server.baseUrl, random: () => 0 })
    const composition: Composition = await compose(task, {
      env: anEnvironment(),
      catalog,
      metaModel,
      asking: { candidates: 1 },
      ...options,
    })
    return { composition, requests: server.requests }
  } finally {
    await server.close()
  }
}

const asJson = (value: object): FaultAnswer => ({
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(value)],
})
const patch = (...operations: readonly object[]): string => JSON.stringify({ patch: operations })
const memory = (use: object): string => aReply({ memory: use })

describe('whatever a real endpoint answers, a harness comes of it that runs, and the record tells the way', () => {
  const plan = '@harnesswright/seed-plan-and-execute#planning'
  test.each<
    [what: string, composing: string, repairing: string, route: string, codes: readonly string[], rounds: number]
  >([
    ['a valid manifest', aReply(), '', 'model', [], 0],
    ['short names', aReply().replaceAll(/@harnesswright\/seed-([a-z-]+)#/g, '$1.'), '', 'model', [], 0],
    ['prose around the JSON', `Of course!\n\n\`\`\`json\n${aReply()}\n\`\`\`\nIt will do.`, '', 'model', [], 0],
    [
      'a module whose name is misspelt',
      memory({ use: `${REACT}#memroy` }),
      '',
      'model',
      ['E_MANIFEST_UNKNOWN_MODULE'],
      1,
    ],
    [
      'a module that is nowhere, mended by the model',
      memory({ use: '@nobody/nothing#here' }),
      patch({ op: 'replace', path: '/memory', value: 'null' }),
      'model',
      ['E_MANIFEST_UNKNOWN_MODULE'],
      1,
    ],
    [
      'a module that is nowhere, and no correction',
      memory({ use: '@nobody/nothing#here' }),
      'What?',
      'model',
      ['E_MANIFEST_UNKNOWN_MODULE'],
      1,
    ],
    [
      'wrong options',
      memory({ use: `${REACT}#memory`, with: { fil: 0.4, faithful: 'true' } }),
      '',
      'model',
      ['E_MANIFEST_OPTION', 'E_MANIFEST_OPTION'],
      1,
    ],
    ['a requirement that nobody meets', memory({ use: '@acme/odd#needy' }), '', 'model', ['E_PROTOCOL_REQUIRES'], 1],
    [
      'a module that throws at step 3',
      memory({ use: '@acme/odd#breaks' }),
      patch({ op: 'replace', path: '/memory/use', value: `"${REACT}#memory"` }),
      'model',
      ['E_RUN_MODULE'],
      1,
    ],
    [
      'a module of more authority than a model may name',
      memory({ use: '@acme/reaching#memory' }),
      '',
      'model',
      ['E_MANIFEST_AUTHORITY'],
      1,
    ],
    [
      'an option that only the host sets',
      memory({ use: '@acme/notes#memory', with: { root: '/etc' } }),
      patch({ op: 'replace', path: '/memory/with/root', value: '"/"' }),
      'model',
      ['E_MANIFEST_AUTHORITY'],
      1,
    ],
    [
      'limits, packages and a protocol of its own',
      aReply({ limits: { steps: 1e9 }, packages: { '@evil/pkg': '*' }, protocol: 99 }),
      '',
      'model',
      [],
      0,
    ],
    [
      'a prototype',
      '{"manifest":{"action":{"use":"@harnesswright/seed-react#action","with":{"__proto__":{"x":1}}}}}',
      '',
      'rules',
      ['E_MANIFEST_FORBIDDEN_KEY'],
      1,
    ],
    ['junk', '<html><body>502</body></html>', '', 'rules', [], 0],
    ['nothing', '', '', 'rules', [], 0],
    ['JSON that is no object', '[null, 1]', '', 'rules', [], 0],
    ['brackets without end', '{"manifest":'.repeat(3_000), '', 'rules', [], 0],
    ['a reply of half a million characters', `{"manifest":{"name":"${'x'.repeat(500_000)}"}}`, '', 'rules', [], 0],
    [
      'a manifest without an action',
      JSON.stringify({ manifest: { memory: null, planning: { use: plan } } }),
      '',
      'model',
      ['E_MANIFEST_MISSING'],
      1,
    ],
    [
      'a list where a module stands',
      aReply({ action: [{ use: `${REACT}#action` }] }),
      '',
      'model',
      ['E_MANIFEST_TYPE'],
      1,
    ],
  ])('%s', async (_what, composing, repairing, route, codes, rounds) => {
    const { composition } = await composedAt(composing, repairing)
    const [attempt] = composition.attempts.filter((one) => one.route === 'model')
    const result = await composition.harness.run(task, { limits: composition.limits }).result

    expect(composition.route).toBe(route)
    expect(attempt?.problems.map(({ code }) => code) ?? []).toEqual(codes)
    expect(attempt?.repairs ?? []).toHaveLength(rounds)
    expect(composition.attempts.find(({ outcome }) => outcome === 'taken')?.route).toBe(route)
    expect(result.status).toBe('answered')
    expect(JSON.parse(JSON.stringify(recordOf(composition)))).toMatchObject({ version: 1, route })
    expect(composition.manifest).not.toHaveProperty('limits')
    expect(JSON.stringify(composition.manifest)).not.toMatch(/@evil|"root"/)
  })

  test('a prompt with an unknown variable, which is left out of what a model wrote', async () => {
    const prompts = { plan: 'Plan {{what}} in {{maxGoalz}} goals.' }
    const { composition } = await composedAt(aReply({ planning: { use: plan, prompts } }))
    const { status } = await composition.harness.run(task, { limits: composition.limits }).result

    expect(composition.route).toBe('model')
    expect(composition.manifest.planning).toEqual({ use: plan })
    expect(status).toBe('answered')
  })

  test('a prompt with an unknown variable, of a proposer that may write prompts', async () => {
    const planned = seedManifests['plan-and-execute'] as Manifest
    const prompts = { plan: 'Plan {{what}} in {{maxGoalz}} goals.' }
    const manifest = { ...planned, planning: { ...(planned.planning as Use), prompts } } satisfies Manifest
    const proposer = {
      route: 'mutate' as const,
      propose: () => [{ manifest, origin: 'model' as const, explanation: [] }],
    }
    const { composition } = await composedAt('', '', { proposer, metaModel: undefined as never })
    const { status } = await composition.harness.run(task, { limits: composition.limits }).result

    expect(composition.route).toBe('mutate')
    expect(new Set(composition.attempts[0]?.problems.map(({ code }) => code))).toEqual(new Set(['E_MANIFEST_PROMPT']))
    expect(composition.manifest.planning?.prompts ?? {}).toEqual({})
    expect(status).toBe('answered')
  })
})

describe('a correction that goes too far is refused, and what it would have done is in the record', () => {
  const wrong = memory({ use: '@nobody/nothing#here' })
  test.each<[what: string, operation: object, why: RegExp]>([
    ['limits', { op: 'add', path: '/limits', value: '{"steps":1000}' }, /touches \/limits/],
    ['packages', { op: 'add', path: '/packages/@evil~1pkg', value: '"*"' }, /touches \/packages/],
    ['the protocol', { op: 'replace', path: '/protocol', value: '2' }, /touches \/protocol/],
    [
      'a new plugin',
      { op: 'add', path: '/plugins/-', value: '{"use":"@acme/reaching#memory"}' },
      /touches \/plugins\/-/,
    ],
    ['another slot', { op: 'replace', path: '/action/use', value: `"${REACT}#action"` }, /touches \/action\/use/],
    ['the whole manifest', { op: 'replace', path: '', value: '{}' }, /touches /],
    [
      'a module that is not there',
      { op: 'replace', path: '/memory/use', value: '"@evil/pkg#memory"' },
      /not in the catalog/,
    ],
    [
      'a module of another slot',
      { op: 'replace', path: '/memory/use', value: `"${REACT}#action"` },
      /a module of slot action/,
    ],
    [
      'a module of more authority',
      { op: 'replace', path: '/memory/use', value: '"@acme/reaching#memory"' },
      /with authority network/,
    ],
    ['a prototype', { op: 'add', path: '/memory/__proto__', value: '{"x":1}' }, /reaches __proto__/],
    ['an operation that is none', { op: 'eval', path: '/memory' }, /no operation/],
  ])('%s', async (_what, operation, why) => {
    const { composition } = await composedAt(wrong, patch(operation))
    const delta = composition.attempts[0]?.repairs[0]?.deltas.find(({ by }) => by.startsWith('model'))

    expect(delta?.refused).toMatch(why)
    expect(composition.manifest).not.toHaveProperty('limits')
    expect(composition.manifest).not.toHaveProperty('plugins')
    expect(composition.origin).toBe('model')
    expect(Object.keys(composition.manifest.packages).some((name) => name.includes('evil'))).toBe(false)
  })

  test('two rounds are the most, and then the references of the bank are taken', async () => {
    const references: readonly HarnessReference[] = [
      {
        harnessId: 'sha256:1',
        manifest: { ...(seedManifests['react'] as Manifest), action: { use: 'gone#away' } },
        why: 'the champion',
      },
      {
        harnessId: 'sha256:2',
        manifest: seedManifests['resum'] as Manifest,
        measured: { reward: 0.9, runs: 20 },
        why: 'second best',
      },
    ]
    let asked = 0
    const never = () => patch({ op: 'replace', path: '/memory/with/fill', value: `"no ${asked++}"` })
    const env = anEnvironment()
    const { composition } = await composedAt(memory({ use: `${REACT}#memory`, with: { fill: 'high' } }), never, {
      env,
      references,
      repair: [{ name: 'stubborn', repair: ({ cases }) => ({ patch: JSON.parse(never()).patch, covers: cases }) }],
    })

    expect(composition.route).toBe('nearest')
    expect(composition.manifest.name).toBe('resum')
    expect(composition.origin).toBe('bank')
    expect(composition.attempts[0]?.repairs).toHaveLength(2)
    expect(composition.attempts.map(({ route, outcome }) => [route, outcome])).toEqual([
      ['model', 'failed'],
      ['nearest', 'failed'],
      ['nearest', 'taken'],
    ])
    const lines = explainComposition(composition)
    expect(lines).toContainEqual(
      expect.stringMatching(/^retrieved: resum .*measured: 90 % right, over 20 runs: second best$/),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(/^refused by validate: planned \(model\): E_MANIFEST_OPTION at \/memory\/with\/fill/),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(/^repair 2 of planned \(model\) by stubborn: replace \/memory\/with\/fill/),
    )
    expect(lines).toContainEqual(expect.stringMatching(/^not mended: planned \(model\): /))
  })
})

describe('of several that pass', () => {
  const three = (request: FaultRequest): string =>
    [
      aReply({ name: 'first' }),
      aReply({ name: 'second', planning: null }, { predicted: { reward: 0.9, tokens: 10_000, steps: 3 } }),
      aReply({ name: 'third', memory: null, planning: null }, { predicted: { reward: 0.9, tokens: 90_000, steps: 3 } }),
    ][(Number((request.body as { seed?: number }).seed) - 1) % 3] as string

  test('a judge is asked of each two in both orders, and ties go to the one that is predicted to cost least', async () => {
    const seen: string[] = []
    const { composition } = await composedAt(
      (request) => {
        const { messages } = request.body as { messages: { content: string }[] }
        if (!messages[0]?.content.startsWith('Two harnesses')) return three(request)
        seen.push(messages[1]?.content ?? '')
        return messages[1]?.content.includes('plan-and-execute') === true ? 'neither' : '{"better":"A"}'
      },
      '',
      { n: 3, select: 'judge' },
    )

    expect(seen).toHaveLength(6)
    expect(composition.selection).toMatchObject({ how: 'judge', scores: [2, 2, 2], chosen: 1 })
    expect(composition.selection.reason).toMatch(
      /in 6 comparisons.*of 3 that are equal it is predicted to cost least; 4 replies/,
    )
    expect(composition.manifest.name).toBe('second')
    expect(composition.spent.calls).toEqual({ compose: 3, judge: 6 })
  })

  test('the likeliest is taken by the mean of its log-probabilities, where the endpoint tells them', async () => {
    const logprobs = [[-0.9, -0.9], [-0.2, -0.2, -0.2, -0.2, -0.2], [-0.5]]
    const server = await startFaultServer((request) => {
      const at = (Number((request.body as { seed?: number }).seed) - 1) % 3
      const content = (logprobs[at] ?? []).map((logprob) => ({ token: 'x', logprob }))
      const message = { role: 'assistant', content: three(request) }
      const body = { choices: [{ index: 0, message, finish_reason: 'stop', logprobs: { content } }] }
      return asJson(body)
    })
    try {
      const metaModel = createOpenAiModel({ model: 'composer', baseUrl: server.baseUrl, body: { logprobs: true } })
      const { selection, manifest } = await compose(task, {
        env: anEnvironment(),
        catalog,
        metaModel,
        select: 'logprob',
      })

      expect(manifest.name).toBe('second')
      expect(selection).toMatchObject({ how: 'logprob', chosen: 1, sums: [-1.8, -1, -0.5] })
    } finally {
      await server.close()
    }
  })

  test('without log-probabilities the first is taken, and why is said', async () => {
    const { composition } = await composedAt(three, '', { n: 3, select: 'logprob' })

    expect(composition.selection).toMatchObject({
      how: 'logprob',
      chosen: 0,
      reason: expect.stringMatching(/told no log-prob/),
    })
    expect(explainComposition(composition)).toContainEqual(
      expect.stringMatching(/^chosen by logprob: 1 of 3 that passed/),
    )
  })

  test('the one that is least like the references is taken to explore', async () => {
    const known = JSON.parse(aReply({ planning: null })).manifest as object
    const references = [
      { harnessId: 'x', manifest: { protocol: 1, packages: {}, ...known } as unknown as Manifest, why: 'near' },
    ]
    const { composition } = await composedAt(three, '', { n: 3, select: 'diverse', references })

    expect(composition.selection).toMatchObject({ how: 'diverse', chosen: 0 })
  })
})

describe('the executor is probed', () => {
  /** An endpoint that follows some of the three questions. */
  async function probing(
    follows: { native?: boolean; json?: boolean; plan?: boolean },
    options: Partial<ComposeOptions> = {},
  ) {
    const { codecs } = await import('@harnesswright/plugin-codecs')
    const { memoryProbes } = await import('@harnesswright/plugin-meta-agent')
    const server = await startFaultServer((request) => {
      const body = request.body as unknown as { tools?: unknown; messages: { content: string }[] }
      const asked = JSON.stringify(body.messages)
      const call = { id: 'c1', type: 'function', function: { name: 'note_number', arguments: '{"number":7}' } }
      const message =
        body.tools !== undefined
          ? follows.native === true
            ? { role: 'assistant', content: null, tool_calls: [call] }
            : { role: 'assistant', content: 'Seven.' }
          : asked.includes('cup of tea')
            ? {
                role: 'assistant',
                content: follows.plan === true ? '{"goals":[{"text":"boil"},{"text":"pour"}]}' : 'Boil, then pour.',
              }
            : { role: 'assistant', content: follows.json === true ? '{"note_number":{"number":7}}' : 'Seven.' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return asJson({ choices, usage: { prompt_tokens: 10, completion_tokens: 5 } })
    })
    try {
      const probes = memoryProbes()
      const executor = createOpenAiModel({ model: 'executor', baseUrl: server.baseUrl, contextWindow: 32_000 })
      const env = { ...anEnvironment({}, executor), codecs }
      const first = await compose(task, { env, catalog: allSeeds, probes, ...options })
      const calls = server.requests.length
      const second = await compose(task, { env, catalog: allSeeds, probes, ...options })
      return { first, second, calls, callsOfSecond: server.requests.length - calls }
    } finally {
      await server.close()
    }
  }

  test('with three calls, which are counted, once for each model', async () => {
    const { first, second, calls, callsOfSecond } = await probing({ native: true, json: true, plan: true })

    expect([calls, callsOfSecond]).toEqual([3, 0])
    expect(first.probe).toEqual({ model: 'executor', hasTools: true, native: true, json: true, plan: true, version: 1 })
    expect(second.probe).toEqual(first.probe)
    expect(first.spent).toMatchObject({
      modelCalls: 3,
      calls: { probe: 3 },
      usage: { inputTokens: 30, outputTokens: 15 },
    })
    expect(first.limits.tokens).toBe(1_000_000 - 45)
    expect(first.manifest).not.toHaveProperty('codec')
  })

  test('and one that makes no calls of its own is asked in the codec that it follows', async () => {
    const { first } = await probing({ native: false, json: true, plan: true })

    expect(first.manifest.codec).toBe('json')
    expect(first.manifest.planning).not.toBeNull()
  })

  test('and one that writes no plan gets none', async () => {
    const { first } = await probing({ native: true, json: true, plan: false })

    expect(first.attempts[0]).toMatchObject({
      stage: 'fit',
      problems: [{ code: 'E_PROTOCOL_MODEL', pointer: '/planning/use' }],
    })
    expect(first.manifest.planning).toBeNull()
  })

  test('and of one that follows nothing it is said, as no harness is better for it than another', async () => {
    const { first } = await probing({})

    expect(first.route).toBe('rules')
    expect(first.manifest).not.toHaveProperty('codec')
    expect(first.explanation[0]?.because).toBe(
      'It makes calls of its own: no; calls in the codec json: no; plans as JSON: no.',
    )
  })
})
