import { expect, test } from 'vitest'
import { aHead, aHeightTask, anIdealModel, ask, aTool, TOOLS } from './conversation.js'

const FINAL = aTool('final_answer', 'answer')
const begun = aHead(aHeightTask(['Alba']))
const done = [...begun, { role: 'user', content: 'the height of Alba is 9 m' }] as const
const callsOf = async (...request: Parameters<typeof ask>) =>
  (await ask(...request)).toolCalls?.map((call) => [call.name, JSON.parse(call.arguments)])

test('a tool that takes the answer is called with it, once all is done', async () => {
  const tools = [...TOOLS, FINAL]

  expect((await callsOf(anIdealModel(), begun, { tools }))?.[0]?.[0]).toBe('search_files')
  expect(await callsOf(anIdealModel(), done, { tools })).toEqual([
    ['final_answer', { answer: '{"heights":{"Alba":9}}' }],
  ])
})

test('without such a tool, or where no call is allowed, the answer is said', async () => {
  const plain = await ask(anIdealModel(), done)
  const closing = await ask(anIdealModel(), done, { tools: [FINAL], choice: 'none' })

  for (const { content, toolCalls } of [plain, closing])
    expect([content, toolCalls]).toEqual(['{"heights":{"Alba":9}}', []])
})
