import { describe, expect, test } from 'vitest'
import { acts, aTool, observations, offered, runScript, seedWith, use } from './support/harness.js'

let failures = 0
const TOOLS = [
  aTool('measure'),
  aTool('mix'),
  aTool('bake'),
  aTool('taste'),
  aTool('break', 'Fails.', {
    execute: () => {
      failures += 1
      throw new Error(`it broke (${failures})`)
    },
  }),
]

function follow(options: object, calls: readonly (string | readonly string[])[]) {
  return runScript({
    manifest: seedWith('react', use('sequenced', options as never)),
    tools: TOOLS,
    script: [...calls.map((call) => ({ calls: [call].flat().map((name) => ({ call: name as string })) })), 'done'],
  })
}

const choices = (run: Awaited<ReturnType<typeof follow>>) => acts(run).map(({ choice }) => choice)

describe('an order', () => {
  test('requires each tool until it has been called, and then leaves the model free', async () => {
    const run = await follow({ order: ['measure', 'mix', 'mix'] }, ['measure', 'mix', 'mix', 'taste'])

    expect(choices(run)).toEqual([{ tool: 'measure' }, { tool: 'mix' }, { tool: 'mix' }, undefined, undefined])
    expect(observations(run, 4)).toEqual(['taste was used'])
    expect(run.requests[0]?.messages[0]?.content).toContain('Tools are called in this order: measure, mix, mix.')
  })

  test('refuses every other tool of the environment until then, and says what comes next', async () => {
    const run = await follow({ order: ['measure', 'mix'] }, ['bake', ['measure', 'mix'], 'mix'])

    const [refused] = observations(run, 1)
    expect(refused).toContain('measure comes next: the order is measure, mix, and 0 of 2 are done')
    expect(observations(run, 2)[0]).toBe('measure was used')
    expect(observations(run, 2)[1]).toContain('measure comes next') // as it did when the reply was made
    expect(choices(run)).toEqual([{ tool: 'measure' }, { tool: 'measure' }, { tool: 'mix' }, undefined])
  })

  test('keeps the list of tools as it is', async () => {
    const run = await follow({ order: ['measure', 'mix'] }, ['measure', 'mix'])

    for (const request of acts(run)) expect(offered(request)).toEqual(TOOLS.map(({ name }) => name))
  })

  test('goes on without a tool that keeps failing, and says so', async () => {
    const run = await follow({ order: ['break', 'mix'], tries: 2 }, ['break', 'break', 'mix'])

    expect(choices(run)).toEqual([{ tool: 'break' }, { tool: 'break' }, { tool: 'mix' }, undefined])
    const notes = run.result.messages.filter(({ note }) => note === 'sequence')
    expect(notes.map(({ content }) => content)).toEqual(['break failed 2 times, and the order goes on without it.'])
  })

  test('lets tools that modules bring be called at any time', async () => {
    const manifest = seedWith('react', [
      use('retrieval', { top: 1, messages: 0 }),
      use('sequenced', { order: ['bake'] }),
    ])
    const run = await runScript({
      manifest,
      tools: TOOLS,
      task: 'Measure it.',
      script: [{ call: 'find_tools', with: { query: 'mix' } }, { call: 'bake' }, { call: 'mix' }, 'done'],
    })

    expect(offered(run.requests[0])).toEqual(['measure', 'bake', 'find_tools']) // what is required is on offer
    expect(observations(run, 1)[0]).toContain('- mix: Does mix.')
    expect(observations(run, 3)).toEqual(['mix was used'])
  })
})

describe('with other calls in between', () => {
  test('only tools that come later are refused, and some call is required', async () => {
    const run = await follow({ order: ['measure', 'mix', 'bake'], between: true }, [
      'taste',
      'mix',
      'measure',
      'measure',
      'mix',
      'bake',
    ])

    expect(observations(run, 1)).toEqual(['taste was used'])
    expect(observations(run, 2)[0]).toContain('measure comes next')
    expect(observations(run, 4)).toEqual(['measure was used'])
    expect(choices(run)).toEqual([...Array(6).fill('required'), undefined])
  })
})

test('an order that names a tool that is not there ends the run at once', async () => {
  const { result } = await follow({ order: ['measure', 'mixx'] }, [])

  expect(result.error?.code).toBe('E_CAPABILITY_TOOL')
  expect(result.error?.message).toContain('The option "order" names the tool "mixx"')
})

test('without an order everything is as it was', async () => {
  const run = await follow({}, ['bake'])

  expect(choices(run)).toEqual([undefined, undefined])
  expect(observations(run, 1)).toEqual(['bake was used'])
})
