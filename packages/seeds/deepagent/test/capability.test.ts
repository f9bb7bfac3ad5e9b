import { defineModule, type Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { observed, offered, page, read, run } from './stream.js'

const tool = (name: string, description: string): Tool => ({ ...read, name, description })
const shelf = [read, tool('send_mail', 'Sends a letter to somebody.'), tool('weather', 'Tells the weather of a town.')]
const search = (query: string) => ({ call: 'tool_search', with: { query } })
const narrow = { openUpTo: 2 }
const OWN = ['fold_thought', 'final_answer']

test('few tools are all on offer, and there is nothing to search', async () => {
  const { acts } = await run({ script: [page(1)], tools: shelf })

  expect(offered(acts[0])).toEqual(['read', 'send_mail', 'weather', ...OWN])
  expect(JSON.stringify(acts[0]?.messages)).not.toContain('tool_search')
})

describe('of many tools', () => {
  test('none is on offer but those that were searched for, from the next turn on, and they stay', async () => {
    const ran = await run({
      script: [page(1), search('tell the weather'), search('write letters'), { call: 'weather', with: { page: 1 } }],
      tools: shelf,
      capability: narrow,
    })

    expect(observed(ran, 1)[0]?.content).toContain('the tool "read" is not on offer now')
    const capabilities = ran.result.steps.map((step) => step.capabilities.filter((name) => !OWN.includes(name)))
    expect(capabilities.slice(0, 4)).toEqual([
      ['tool_search'],
      ['tool_search'],
      ['weather', 'tool_search'],
      ['weather', 'send_mail', 'tool_search'],
    ])
    expect(observed(ran, 4)[0]?.ok).toBe(true)
    expect(ran.acts[0]?.messages[0]?.content).toContain('There are 3 tools')
  })

  test('a search is told what it found, at most as many as it may, the best first', async () => {
    const ran = await run({
      script: [search('the weather of a town, in a letter')],
      tools: shelf,
      capability: { ...narrow, hits: 1 },
    })

    expect(observed(ran, 1)[0]?.content).toBe(
      'These can be called from the next step on:\n- weather: Tells the weather of a town.',
    )
  })

  test.each(['ab', ' ab ', 'cat'])('the query %j says too little, and is refused (D15.6)', async (query) => {
    const ran = await run({ script: [search(query)], tools: shelf, capability: narrow })

    expect(observed(ran, 1)[0]?.content).toMatch(/^error: tool_search failed: the query has only [23] characters$/)
  })

  test('a search that finds nothing puts nothing on offer', async () => {
    const ran = await run({ script: [search('zebras'), page(1)], tools: shelf, capability: narrow })

    expect(observed(ran, 1)[0]?.content).toContain('No tool fits "zebras"')
    expect(observed(ran, 2)[0]?.ok).toBe(false)
  })

  test.each([
    ['a word of a letter', ['read', 'send_mail', 'weather']],
    ['letter', ['send_mail']],
    ['zebra', ['read', 'send_mail', 'weather']],
  ])('the faithful search for %j finds every tool with a word of it, else all: %j', async (query, names) => {
    const { result } = await run({
      script: [search(query)],
      tools: shelf,
      capability: { ...narrow, hits: 1, faithful: true },
    })

    expect(result.steps[1]?.capabilities.slice(0, names.length)).toEqual(names)
    expect(result.steps[1]?.capabilities).toHaveLength(names.length + 3)
  })
})

test('what a module before it leaves out is not found', async () => {
  const without = defineModule({
    slot: 'capability',
    summary: 'Leaves out the mail.',
    select: (ctx) => ({
      ...ctx.capabilities,
      tools: ctx.capabilities.tools.filter(({ name }) => name !== 'send_mail'),
    }),
  })
  const ran = await run({
    script: [search('send a letter')],
    tools: shelf,
    capability: narrow,
    before: [without],
  })

  expect(observed(ran, 1)[0]?.content).toContain('No tool fits')
})
