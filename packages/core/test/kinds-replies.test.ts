import { describe, expect, test } from 'vitest'
import type { ModelResponse, ToolCall } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aTool, runOnce } from './one-run.js'

const made = (finish: string, ...toolCalls: readonly ToolCall[]): ModelResponse => ({ content: '', toolCalls, finish })
const call = (id: string, text: string): ToolCall => ({ id, name: 'purge', arguments: text })

/** A run on these replies, with a tool whose arguments may all be left out. */
async function purging(...replies: readonly (ModelResponse | string)[]) {
  const purged: unknown[] = []
  const purge = aTool('purge', {
    parameters: { type: 'object', properties: { olderThan: { type: 'number' }, folder: { type: 'string' } } },
    execute: (args: object) => {
      purged.push(args)
      return 'purged'
    },
  })
  const ran = await runOnce({ model: createScriptedModel(replies), tools: [purge] })
  return { ...ran, purged }
}

describe('a reply that was cut at its length', () => {
  test('K29: has its whole calls made and its cut one told to the model, and the run goes on', async () => {
    const cut = made('length', call('a', '{"olderThan":30}'), call('b', '{"olderThan":30,"folder":"/home/k'))
    const { result, requests, purged } = await purging(cut, 'done')

    expect(purged).toEqual([{ olderThan: 30 }])
    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', callId: 'a', content: 'purged' },
      { role: 'tool', callId: 'b', content: expect.stringMatching(/^error: .*not the text of a JSON object/) },
    ])
  })

  test('K29: in its call every time ends after three times, and is not asked for to the cap', async () => {
    const { result, requests, purged } = await purging(made('length', call('', '{"olderThan":')))

    expect(purged).toEqual([])
    expect(result).toMatchObject({ status: 'limit', reason: 'malformed' })
    expect(requests.filter(({ purpose }) => purpose === 'act')).toHaveLength(3)
  })
})

describe('a reply without content', () => {
  test('K31: whose content is null, with a call, has its call made', async () => {
    const reply = { ...made('tool_calls', call('a', '{}')), content: null as never }
    const { result, purged, requests } = await purging(reply, 'done')

    expect(purged).toEqual([{}])
    expect(requests[1]?.messages.at(-2)?.content).toBe('')
    expect(result.status).toBe('answered')
  })

  test.each([null, undefined])('K31: whose content is %s, without a call, is asked for once more', async (content) => {
    const { result, requests } = await purging({ content: content as never, finish: 'stop' }, 'done')

    expect(requests).toHaveLength(2)
    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
  })
})

describe('a loop that does not depend on who watches it', () => {
  test.each([true, false])('K7: survives arguments that are no JSON, with a model that streams: %s', async (stream) => {
    const broken = made(
      'tool_calls',
      call('a', '{"olderThan": 30,, }'),
      call('b', 'null'),
      call('c', '{"olderThan":1}'),
    )
    const purged: unknown[] = []
    const purge = aTool('purge', { execute: (args: object) => void purged.push(args) as never })
    const model = createScriptedModel([broken, 'done'], { supports: { stream } })
    const { result } = await runOnce({ model, tools: [purge] })

    expect(purged).toEqual([{ olderThan: 1 }])
    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(result.steps[0]?.observations.map(({ callId, ok }) => [callId, ok])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ])
  })
})
