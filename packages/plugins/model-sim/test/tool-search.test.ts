import { expect, test } from 'vitest'
import { aHead, aHeightTask, aLogTask, anExchange, anIdealModel, ask, aTool, TOOLS } from './conversation.js'

const SEARCH = aTool('tool_search', 'query')

test('a tool that is missing is looked for by what it is to do', async () => {
  const log = await ask(anIdealModel(), aHead(aLogTask(3)), { tools: [SEARCH] })
  const towers = await ask(anIdealModel(), aHead(aHeightTask(['Alba'])), { tools: [SEARCH] })

  expect(log.toolCalls?.map((call) => [call.name, call.arguments])).toEqual([
    ['tool_search', '{"query":"read a file"}'],
  ])
  expect(towers.toolCalls?.[0]?.arguments).toBe('{"query":"search texts for words"}')
})

test('a tool search is no search for the words of a task', async () => {
  const reply = await ask(anIdealModel(), aHead(aHeightTask(['Alba'])), { tools: [SEARCH, ...TOOLS] })

  expect(reply.toolCalls?.[0]?.name).toBe('search_files')
})

test('a search for tools that finds nothing is made twice at most', async () => {
  const searched = (times: number) => [
    ...aHead(aLogTask(3)),
    ...Array.from({ length: times }, () => anExchange('tool_search', { query: 'read a file' }, 'no tool found')).flat(),
  ]

  expect((await ask(anIdealModel(), searched(1), { tools: [SEARCH] })).toolCalls).toHaveLength(1)
  expect((await ask(anIdealModel(), searched(2), { tools: [SEARCH] })).toolCalls).toEqual([])
})
