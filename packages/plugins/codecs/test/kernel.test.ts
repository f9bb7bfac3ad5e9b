import { assemble, type Codec, createEnvironment, type Model, type ModelRequest, type Tool } from '@harnesswright/core'
import {
  createScriptedModel,
  createVirtualClock,
  inTurn,
  resumeLaw,
  type Script,
  type ScriptedModel,
  say,
  startFaultServer,
} from '@harnesswright/core/testkit'
import { codecs } from '@harnesswright/plugin-codecs'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import { describe, expect, test } from 'vitest'
import { aTool } from './support.js'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', modules: { ...planAndExecute } }),
])
const use = (name: string): { readonly use: string } => ({ use: `@harnesswright/seed-${name}` })
const packages = { '@harnesswright/seed-react': '*', '@harnesswright/seed-plan-and-execute': '*' }
const manifest = {
  protocol: 1,
  name: 'under-test',
  packages,
  memory: null,
  planning: null,
  capability: null,
  action: use('react#action'),
} as const
const read: Tool = { ...aTool('read_file', ['path']), execute: ({ path }) => `${path} holds 12`, idempotent: true }

const call = (path: string): string =>
  JSON.stringify({ think: 'I look.', tools: [{ name: 'read_file', arguments: { path } }] })
const answer = (said: string): string => JSON.stringify({ think: 'Done.', final_answer: said })

function textModel(script: readonly Script[] | Readonly<Record<string, readonly Script[]>>): ScriptedModel {
  return createScriptedModel(script, { supports: { tools: false } })
}

function environment(model: Model, known: readonly Codec[] = codecs) {
  return createEnvironment({ model, tools: [read], codecs: known, strict: true, clock: createVirtualClock() })
}

const shown = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join('\n')

describe('a run with a codec of text', () => {
  test('is in JSON where the model has no tool calls, and its history is canonical', async () => {
    const model = textModel([call('a.txt'), answer('12')])
    const harness = await assemble(manifest, { catalog, env: environment(model) })
    const result = await harness.run('What is in a.txt?').result

    expect(result).toMatchObject({ status: 'answered', answer: '12' })
    expect(model.requests[1]).not.toHaveProperty('tools')
    expect(shown(model.requests[1] as ModelRequest)).toMatch(
      /<observation-\w+ tool="read_file" call="1">\na.txt holds 12\n/,
    )
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(result.messages[1]).toMatchObject({
      content: 'I look.',
      toolCalls: [{ id: 'c1_1', name: 'read_file', arguments: '{"path":"a.txt"}' }],
      wire: { codec: 'json', content: call('a.txt') },
    })
    expect(result.messages.at(-1)?.content).toBe('12')
  })

  test('sends the words of the model back as it wrote them', async () => {
    const odd = `<think>Hm.</think> Well:\n\`\`\`json\n${call('a.txt')}\n\`\`\``
    const model = textModel([odd, answer('12')])
    await (await assemble(manifest, { catalog, env: environment(model) })).run('What is in a.txt?').result

    expect(model.requests[1]?.messages[2]).toMatchObject({ role: 'assistant', content: odd })
  })

  test('is as the manifest says, for every request of every module', async () => {
    const model = createScriptedModel({
      plan: ['{"goals": [{"text": "Read a.txt."}, {"text": "Answer."}]}'],
      act: ['I look.\n<read_file>a.txt</read_file>', '<final_answer>12</final_answer>'],
    })
    const planned = { ...manifest, codec: 'marker', planning: use('plan-and-execute#planning') } as const
    const result = await (await assemble(planned, { catalog, env: environment(model) })).run('What is in a.txt?').result

    expect(result).toMatchObject({ status: 'answered', answer: '12' })
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['plan', 'act', 'act'])
    for (const request of model.requests) {
      expect(request).not.toHaveProperty('tools')
      expect(request.messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls !== undefined)).toBe(false)
    }
  })

  test('tells the model what is wrong with its reply, and goes on (K4)', async () => {
    const model = textModel(['I will read it.', '{"tools": [{"name": "read_file"', call('a.txt'), answer('12')])
    const result = await (await assemble(manifest, { catalog, env: environment(model) })).run('What is in a.txt?')
      .result

    expect(result).toMatchObject({ status: 'answered', answer: '12' })
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(
      'it is no JSON object with "tools" or "final_answer".',
    )
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('its JSON ends before it is closed.')
  })

  test('asks for the answer after three replies in a row that cannot be read (K4)', async () => {
    const model = textModel({ act: ['No.'], finish: [answer('nothing')] })
    const result = await (await assemble(manifest, { catalog, env: environment(model) })).run('What is in a.txt?')
      .result

    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['act', 'act', 'act', 'finish'])
    expect(result).toMatchObject({ status: 'answered', answer: 'nothing' })
  })

  test('tells a tool that is not there with those that are (K11), and arguments that are wrong with their place (K5)', async () => {
    const wrong = JSON.stringify({
      tools: [
        { name: 'open_file', arguments: {} },
        { name: 'read_file', arguments: { path: [1] } },
      ],
    })
    const model = textModel([wrong, answer('12')])
    await (await assemble(manifest, { catalog, env: environment(model) })).run('What is in a.txt?').result
    const [unknown, mistaken] = model.requests[1]?.messages.slice(-2).map(({ content }) => content) ?? []

    expect(unknown).toMatch(/call="1">\nerror: .*read_file/)
    expect(mistaken).toMatch(/call="2">\nerror: .*path/)
  })

  test('is one retry for an empty reply, and no more (K28)', async () => {
    const model = textModel(['', ' '])
    const result = await (await assemble(manifest, { catalog, env: environment(model) })).run('Go.').result

    expect(model.requests).toHaveLength(2)
    expect(result).toMatchObject({ reason: 'empty_reply' })
  })

  test('ends at its limit with the answer of a request without tools (K32)', async () => {
    const model = textModel({ act: [call('a.txt'), call('b.txt')], finish: [answer('12')] })
    const limited = { ...manifest, limits: { steps: 2 } }
    const result = await (await assemble(limited, { catalog, env: environment(model) })).run('Go.').result

    expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: '12' })
  })

  test.each([
    ['json', [call('a.txt'), 'I forgot the form.', call('b.txt'), answer('12')]],
    ['marker', ['<read_file>a.txt</read_file>', '<tool_call>{', '<read_file>b.txt</read_file>', 'It is 12.']],
  ] as const)('obeys the resume law in %s', async (codec, script) => {
    const { points, faults } = await resumeLaw({
      task: 'What is in a.txt?',
      async fresh(journal) {
        // What is said depends on what is asked alone.
        const model = createScriptedModel([(request) => script[replies(request)] as string])
        const env = createEnvironment({ model, tools: [read], codecs, journal, clock: createVirtualClock() })
        return { harness: await assemble({ ...manifest, codec }, { catalog, env }), requests: model.requests }
      },
    })

    expect(faults).toEqual([])
    expect(points).toBeGreaterThan(6)
  })

  test('is the same again with the same seed', async () => {
    const trace = async (): Promise<unknown> => {
      const model = textModel([call('a.txt'), answer('12')])
      const env = createEnvironment({ model, tools: [read], codecs, clock: createVirtualClock(), newId: () => 'one' })
      const harness = await assemble(manifest, { catalog, env })
      const { messages } = await harness.run('Go.', { seed: 3 }).result
      return { messages, requests: model.requests }
    }

    expect(JSON.stringify(await trace())).toBe(JSON.stringify(await trace()))
  })
})

function replies({ messages }: ModelRequest): number {
  return messages.filter(({ role }) => role === 'assistant').length
}

describe('a codec that is not registered', () => {
  test.each([
    ['that a manifest names', { ...manifest, codec: 'marker' as const }, createScriptedModel(['x'])],
    ['that a model needs', manifest, textModel(['x'])],
  ])('%s is refused before the run, with the package that brings it', async (_what, named, model) => {
    await expect(assemble(named, { catalog, env: environment(model, []) })).rejects.toMatchObject({
      code: 'E_PROTOCOL_MODEL',
      hint: expect.stringContaining('@harnesswright/plugin-codecs'),
    })
  })
})

test('an endpoint that knows no tools is sent none, and what it writes is called', async () => {
  const server = await startFaultServer(inTurn(say(call('a.txt')), say(`So:\n${answer('12')}`)))
  try {
    const model = createOpenAiModel({ model: 'plain', baseUrl: server.baseUrl })
    const harness = await assemble(
      { ...manifest, codec: 'json' },
      { catalog, env: createEnvironment({ model, tools: [read], codecs }) },
    )
    const result = await harness.run('What is in a.txt?').result
    const [first, second] = server.requests.map(({ body }) => body as unknown as Record<string, unknown>)

    expect(result).toMatchObject({ status: 'answered', answer: '12' })
    for (const body of [first, second])
      for (const field of ['tools', 'tool_choice', 'parallel_tool_calls', 'response_format'])
        expect(body).not.toHaveProperty(field)
    expect(second?.['messages']).toMatchObject([
      { role: 'system', content: expect.stringContaining('# Tools') },
      { role: 'user' },
      { role: 'assistant', content: call('a.txt') },
      { role: 'user', content: expect.stringContaining('a.txt holds 12') },
    ])
  } finally {
    await server.close()
  }
})
