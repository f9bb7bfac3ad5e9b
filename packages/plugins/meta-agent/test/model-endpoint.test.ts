import type { JsonSchema } from '@harnesswright/core'
import { compileSchema } from '@harnesswright/core/manifest'
import { inTurn, refuse, say, startFaultServer } from '@harnesswright/core/testkit'
import { checkOpenAiSchema, createDialect } from '@harnesswright/plugin-manifest'
import type { AskingOptions, Composition } from '@harnesswright/plugin-meta-agent'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import { expect, test } from 'vitest'
import { aliasesOf } from '../src/model/aliases.js'
import { aReply, composedBy, seeds } from './composing.js'

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly temperature: number
  readonly seed: number
  readonly max_completion_tokens?: number
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly name: string; readonly strict: boolean; readonly schema: JsonSchema }
  }
}

/** Composes with an endpoint on this computer that gives these replies in turn. */
async function composedAt(
  replies: Parameters<typeof inTurn>,
  asking: AskingOptions = { candidates: 1 },
  preset: 'openai' | 'llama.cpp' | 'deepseek' = 'openai',
) {
  const server = await startFaultServer(inTurn(...replies))
  try {
    const model = createOpenAiModel({ model: 'composer', preset, baseUrl: server.baseUrl, random: () => 0 })
    const composition: Composition = await composedBy(model, { asking })
    return { composition, bodies: server.requests.map(({ body }) => body as unknown as Body) }
  } finally {
    await server.close()
  }
}

test('a strict endpoint is sent a schema that keeps its restrictions, strictly, and what it gives is the harness', async () => {
  const { composition, bodies } = await composedAt([say(aReply())])
  const format = bodies[0]?.response_format

  expect(composition).toMatchObject({ route: 'model', manifest: { name: 'planned' }, spent: { modelCalls: 1 } })
  expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'composition', strict: true } })
  expect(checkOpenAiSchema(format?.json_schema?.schema)).toEqual([])
  const faultsOf = await compileSchema(format?.json_schema?.schema ?? {})
  const short = aReply({
    action: { use: '@harnesswright/seed-react#action', with: { parallel: null, faithful: null } },
  })
  const whole = JSON.parse(short.replaceAll(/@harnesswright\/seed-([a-z-]+)#/g, '$1.'))
  expect(faultsOf(whole)).toEqual([])
  expect(faultsOf({ ...whole, manifest: { ...whole.manifest, action: { use: 'nobody#home' } } })).not.toEqual([])
  expect(bodies[0]).toMatchObject({ temperature: 1, seed: 1 })
})

test.each<[string, Parameters<typeof inTurn>, number]>([
  ['words around the JSON', [say(`Sure!\n\`\`\`json\n${aReply()}\n\`\`\`\nGood luck.`)], 1],
  [
    'a module whose name is misspelt, which rules mend',
    [say(aReply({ memory: { use: '@harnesswright/seed-react#memry' } }))],
    1,
  ],
  [
    'an option whose name is misspelt, which rules mend',
    [say(aReply({ memory: { use: '@harnesswright/seed-react#memory', with: { fil: 0.4 } } }))],
    1,
  ],
  [
    'a module that nobody knows, then a correction',
    [
      say(aReply({ memory: { use: '@acme/unheard-of#memory' } })),
      say('{"patch":[{"op":"replace","path":"/memory/use","value":"\\"@harnesswright/seed-react#memory\\""}]}'),
    ],
    2,
  ],
  ['junk, then a right one', [say('<html>busy</html>'), say(aReply())], 2],
  [
    'a refusal that passes, then a right one',
    [refuse(503, { message: 'busy', type: 'server_error' }), say(aReply())],
    2,
  ],
])('an endpoint that gives %s', async (_what, replies, requests) => {
  const { composition, bodies } = await composedAt(replies)

  expect(composition.route).toBe('model')
  expect(bodies).toHaveLength(requests)
})

test('what was wrong is told in a second request of its own, with the places that may be changed', async () => {
  const { composition, bodies } = await composedAt([
    say(aReply({ memory: { use: '@harnesswright/seed-react#memory', with: { fill: 'most' } } })),
    say('{"patch":[{"op":"replace","path":"/memory/with/fill","value":"0.6"}]}'),
  ])
  const format = bodies[1]?.response_format?.json_schema

  expect(composition.manifest.memory).toEqual({ use: '@harnesswright/seed-react#memory', with: { fill: 0.6 } })
  expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(bodies[1]?.messages[1]?.content).toMatch(/^E_MANIFEST_OPTION at \/memory\/with\/fill: /m)
  expect(bodies[1]?.messages[1]?.content).toMatch(/^May be changed: \/memory$/m)
  expect(format).toMatchObject({ name: 'correction', strict: true })
  expect(checkOpenAiSchema(format?.schema)).toEqual([])
})

test('an endpoint that gives junk twice leaves the rules, after two requests', async () => {
  const { composition, bodies } = await composedAt([say('junk'), say('{"more": "junk"}')])

  expect([composition.route, bodies.length]).toEqual(['rules', 2])
})

test('an endpoint that refuses the key leaves the rules, after one request a candidate', async () => {
  const { composition, bodies } = await composedAt(
    [refuse(401, { message: 'no such key', type: 'invalid_request_error' })],
    { candidates: 2 },
  )

  expect([composition.route, bodies.length]).toEqual(['rules', 2])
  expect(composition.explanation[0]?.because).toContain('no such key')
})

test('an endpoint that takes a schema and no strictness is sent the same one, or one for grammars', async () => {
  const plain = await composedAt([say(aReply())], { candidates: 1 }, 'llama.cpp')
  const grammar = await composedAt([say(aReply())], { candidates: 1, dialect: 'gbnf' }, 'llama.cpp')
  const schemaOf = (bodies: readonly Body[]) =>
    bodies[0]?.response_format?.json_schema?.schema as { properties: { manifest: JsonSchema } }

  expect(plain.bodies[0]?.response_format?.json_schema?.strict).toBe(false)
  expect(checkOpenAiSchema(schemaOf(plain.bodies))).toEqual([])
  const { schema, modules } = createDialect(seeds, { dialect: 'gbnf', inside: 1 })
  expect(schemaOf(grammar.bodies).properties.manifest).toMatchObject(aliasesOf(modules).shorten(schema))
  expect([plain.composition.route, grammar.composition.route]).toEqual(['model', 'model'])
})

test('an endpoint that takes no schema is told in words what to write, once', async () => {
  const { composition, bodies } = await composedAt([say(aReply())], { candidates: 1 }, 'deepseek')

  expect(bodies[0]).not.toHaveProperty('response_format')
  expect(bodies[0]?.messages).toHaveLength(2)
  expect(bodies[0]?.messages[0]?.content).toContain('Reply with one JSON object and nothing else')
  expect(composition.route).toBe('model')
})
