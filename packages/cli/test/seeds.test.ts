import { readdirSync, readFileSync } from 'node:fs'
import { assemble, createEnvironment, type Manifest, type ModelRequest } from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import { jsonCodec, markerCodec } from '@harnesswright/plugin-codecs'
import { describe, expect, test } from 'vitest'
import { catalog } from './support/slot-mixtures.js'

// What holds for every seed as it is shipped, whatever its modules are (D15.11).

const SEEDS = readdirSync(new URL('../../seeds/', import.meta.url))

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../../seeds/${name}/manifest.json`, import.meta.url), 'utf8')) as Manifest
}

/** What the model says when it is to act: a function of how often it was asked in this session. */
type Acting = (turn: number) => Script

/** A run with a tool that gives another text for each page, and all that was asked and said. */
async function run(manifest: Manifest, acting: Acting, more: object = {}) {
  const turns = new Map<string, number>()
  const said = new Set<string>()
  const say = (request: ModelRequest): Script => {
    const { session = '' } = request
    const turn = turns.get(session) ?? 0
    if (request.purpose !== 'act') return 'That is hard to say.'
    turns.set(session, turn + 1)
    return acting(turn)
  }
  const model = createScriptedModel([], { after: say })
  const env = createEnvironment({
    model: {
      ...model,
      generate: async (request, options) => {
        const response = await model.generate(request, options)
        said.add(response.content)
        return response
      },
    },
    tools: [
      {
        name: 'look',
        description: 'Looks at a page.',
        parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
        readOnly: true,
        execute: ({ page }: { page: number }) => `page ${page} says ${page * 7}`,
      },
    ],
    clock: createVirtualClock(),
    strict: true,
    ...more,
  })
  const result = await (await assemble(manifest, { catalog, env })).run('Look at the pages.', { seed: 7 }).result
  return { result, said, requests: model.requests }
}

/** The second thing that the model was asked in some session: what it is shown of its first reply. */
function secondRequest(requests: readonly ModelRequest[]): ModelRequest | undefined {
  const acting = requests.filter(({ purpose }) => purpose === 'act')
  return acting.find(({ session }, index) => acting.findIndex((one) => one.session === session) < index)
}

const textOf = ({ messages = [] }: Partial<ModelRequest> = {}): string =>
  messages.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : ''}`).join('\n')

describe('a reply that cannot be used is shown to the model with what was wrong with it', () => {
  test.each(SEEDS)('by %s: a call with broken arguments', async (name) => {
    const acting: Acting = (turn) => (turn === 0 ? { call: 'look', with: '{"page":' } : 'It says 7.')
    const { result, requests } = await run(manifestOf(name), acting)

    expect(textOf(secondRequest(requests))).toMatch(/^tool: error: .*\blook\b/m)
    expect(result).toMatchObject({ status: 'answered', answer: 'It says 7.' })
  })

  test.each(SEEDS)('by %s: half a step as text', async (name) => {
    const acting: Acting = (turn) => (turn === 0 ? '{"tools": [' : 'It says 7.')
    const { result, requests } = await run({ ...manifestOf(name), codec: 'json' }, acting, { codecs: [jsonCodec] })

    expect(textOf(secondRequest(requests))).toMatch(/^user: Your last reply could not be used: its JSON ends/m)
    expect(['answered', 'limit']).toContain(result.status)
  })
})

test.each(SEEDS)(
  'a limit ends a run of %s with its name, what was done, and only what the model said',
  async (name) => {
    const acting: Acting = (turn) => ({ call: 'look', with: { page: turn } })
    const { result, said } = await run(manifestOf(name), acting, { limits: { steps: 2 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'steps' })
    expect(result.messages.length).toBeGreaterThan(1)
    expect(result.steps.length).toBeGreaterThanOrEqual(2)
    expect([null, ...said]).toContain(result.answer)
  },
)

test.each(['answer', 'final_answer'])(
  'of a call and an <%s> in one reply memobrain makes the call, in the form of its published code (D15.5)',
  async (tag) => {
    const both = `<tool_call>{"name": "look", "arguments": {"page": 1}}</tool_call>\n<${tag}>It says 1.</${tag}>`
    const acting: Acting = (turn) => (turn === 0 ? both : `<${tag}>It says 7.</${tag}>`)
    const manifest: Manifest = { ...manifestOf('memobrain'), codec: 'marker' }
    const { result, requests } = await run(manifest, acting, { codecs: [markerCodec] })

    expect(textOf(secondRequest(requests))).toContain('page 1 says 7')
    expect(result).toMatchObject({ status: 'answered', answer: 'It says 7.' })
  },
)

test.each(SEEDS)('the card of %s has figures of the simulated model, and says that they are of no real one', (name) => {
  const card = readFileSync(new URL(`../../seeds/${name}/CARD.md`, import.meta.url), 'utf8')
  const [said = ''] = card.split(/\n\s*\n/).filter((paragraph) => paragraph.includes('simulated model'))

  expect(said).toMatch(/\b[01]\.\d\d\b/)
  expect(said.replaceAll(/\s+/g, ' ')).toMatch(/says? nothing of real models/)
})
