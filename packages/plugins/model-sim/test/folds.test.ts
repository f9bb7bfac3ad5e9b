import type { Message, ModelRequest, ModelResponse, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { aHead, aHeightTask, aLogTask, anExchange, anIdealModel, ask, TOOLS } from './conversation.js'

const TEXT = { type: 'string' } as const
const ID = { type: 'integer' } as const
const COMPRESS: Tool = {
  name: 'compress',
  description: 'Puts a text in place of steps.',
  parameters: { type: 'object', properties: { from: ID, to: ID, text: TEXT }, required: ['from', 'to', 'text'] },
  execute: () => '',
}

/** Steps of a log, each of so many tokens. */
function steps(first: number, last: number, tokens: number = 2_900): readonly Message[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((step): Message[] => {
    const path = `log/part-${String(step).padStart(2, '0')}.txt`
    const call = { id: `c${step}`, name: 'read_file', arguments: JSON.stringify({ path }) }
    const text = `incident I-${100 + step}: pump ${step} stood still for ${10 + step} minutes\nEnd of part ${step} of 60 of the plant log\n`
    return [
      { role: 'assistant', content: `[Step ${step}] I read on.`, toolCalls: [call] },
      { role: 'tool', callId: call.id, content: text.padStart(tokens * 4, 'x') },
    ]
  })
}

const folding: Partial<ModelRequest> = { tools: [...TOOLS, COMPRESS], parallelToolCalls: true }
const sure = { fold: 1, windowTokens: 100_000 }

function callsOf({ toolCalls = [] }: ModelResponse): readonly (readonly [string, unknown])[] {
  return toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])
}

describe('a fold that is offered as a tool', () => {
  test('is taken up from 8,000 raw tokens in view on, before the next call', async () => {
    const [few, many] = [steps(1, 2), steps(1, 3)]

    expect(callsOf(await ask(anIdealModel(sure), [...aHead(aLogTask(60)), ...few], folding))).toEqual([
      ['read_file', { path: 'log/part-03.txt' }],
    ])
    expect(callsOf(await ask(anIdealModel(sure), [...aHead(aLogTask(60)), ...many], folding))).toEqual([
      [
        'compress',
        {
          from: 1,
          to: 3,
          text: 'So far: log parts 1 to 3 are read; incident I-101: pump 1 stood still for 11 minutes; incident I-102: pump 2 stood still for 12 minutes; incident I-103: pump 3 stood still for 13 minutes.',
        },
      ],
      ['read_file', { path: 'log/part-04.txt' }],
    ])
  })

  test('is taken up from a quarter of a small window on', async () => {
    const view = [...aHead(aLogTask(60)), ...steps(1, 2)]

    expect(callsOf(await ask(anIdealModel({ ...sure, windowTokens: 16_000 }), view, folding))[0]?.[0]).toBe('compress')
  })

  test('goes alone where one call is allowed at a time', async () => {
    const view = [...aHead(aLogTask(60)), ...steps(1, 3)]
    const reply = await ask(anIdealModel(sure), view, { ...folding, parallelToolCalls: false })

    expect(callsOf(reply).map(([name]) => name)).toEqual(['compress'])
  })

  test('covers the steps behind the last fold, and tells their facts and how far it is', async () => {
    const folded = {
      role: 'user',
      content: '[Compressed Step 1 to 3] log parts 1 to 3 are read; incident I-101: pump 1 stood still for 11 minutes',
    } as const
    const reply = await ask(anIdealModel(sure), [...aHead(aLogTask(60)), folded, ...steps(4, 6)], folding)

    expect(callsOf(reply)[0]).toEqual([
      'compress',
      {
        from: 4,
        to: 6,
        text: 'So far: log parts 1 to 6 are read; incident I-104: pump 4 stood still for 14 minutes; incident I-105: pump 5 stood still for 15 minutes; incident I-106: pump 6 stood still for 16 minutes.',
      },
    ])
  })

  test('is taken up at the rate of the profile', async () => {
    const view = [...aHead(aLogTask(60)), ...steps(1, 3)]
    let count = 0
    for (let seed = 1; seed <= 100; seed++) {
      const reply = await ask(anIdealModel({ ...sure, fold: 0.6 }), view, { ...folding, seed })
      if (callsOf(reply)[0]?.[0] === 'compress') count++
    }

    expect(count).toBeGreaterThan(45)
    expect(count).toBeLessThan(75)
  })

  test('loses and garbles facts as a summary does, and keeps how far it is', async () => {
    const view = [...aHead(aLogTask(60)), ...steps(1, 3)]
    const textOf = async (change: object): Promise<string> => {
      const [first] = callsOf(await ask(anIdealModel({ ...sure, ...change }), view, folding))
      return String((first?.[1] as { readonly text?: string } | undefined)?.text)
    }

    expect(await textOf({ keep: 0 })).toBe('So far: log parts 1 to 3 are read.')
    expect(await textOf({ garble: 1 })).not.toContain('for 11 minutes')
  })

  test('without a range covers all work since the last one', async () => {
    const fold: Tool = { ...COMPRESS, name: 'fold_thoughts', parameters: { type: 'object', properties: {} } }
    const view = [
      ...aHead(aLogTask(60)),
      ...steps(1, 3).map((message) => ({ ...message, content: String(message.content).replace(/\[Step \d+\] /, '') })),
    ]

    expect(callsOf(await ask(anIdealModel(sure), view, { ...folding, tools: [...TOOLS, fold] }))[0]).toEqual([
      'fold_thoughts',
      {},
    ])
  })

  test('is given up when it was refused twice in a row', async () => {
    const fold: Tool = { ...COMPRESS, name: 'fold_thought', parameters: { type: 'object', properties: {} } }
    const foldsAfter = async (...results: readonly string[]): Promise<boolean> => {
      const made = results.flatMap((result) => anExchange(fold.name, {}, result))
      const reply = await ask(anIdealModel(sure), [...aHead(aLogTask(60)), ...steps(1, 3), ...made], {
        ...folding,
        tools: [...TOOLS, fold],
      })
      return callsOf(reply)[0]?.[0] === fold.name
    }

    expect(await foldsAfter('error: all folds are made')).toBe(true)
    expect(await foldsAfter('error: all folds are made', 'error: all folds are made!')).toBe(false)
    expect(await foldsAfter('error: cut', 'steps 1 to 2 are folded', 'error: all folds are made')).toBe(true)
  })

  test('is not mistaken for a tool of the task', async () => {
    const tools = [COMPRESS]

    expect((await ask(anIdealModel(sure), aHead(aHeightTask(['Alba'])), { tools })).toolCalls).toEqual([])
  })
})

describe('a fold in a reply that is JSON', () => {
  const call = {
    type: 'object',
    properties: { name: TEXT, arguments: { type: 'object' } },
    required: ['name', 'arguments'],
  }
  const schemaWith = (compress: object) => ({
    type: 'object',
    properties: { think: TEXT, tools: { type: 'array', items: call }, compress, final_answer: TEXT },
    required: ['think', 'tools'],
  })
  const published = {
    type: 'object',
    properties: { compress_range: { type: 'array', items: ID }, compress_text: TEXT },
    required: ['compress_range', 'compress_text'],
  }
  const view = [...aHead(aLogTask(60)), ...steps(1, 3)]

  test('is a key beside the calls, with the ids of its steps, where no tool makes it', async () => {
    const { content } = await ask(anIdealModel(sure), view, { schema: schemaWith(published) })
    const few = await ask(anIdealModel(sure), view.slice(0, 4), { schema: schemaWith(published) })

    expect(JSON.parse(content)).toMatchObject({
      tools: [{ name: 'read_file', arguments: { path: 'log/part-04.txt' } }],
      compress: {
        compress_range: [1, 2, 3],
        compress_text: expect.stringMatching(/^So far: log parts 1 to 3 are read/),
      },
    })
    expect(JSON.parse(few.content)).not.toHaveProperty('compress')
    expect(JSON.parse(few.content)).not.toHaveProperty('final_answer')
  })

  test('is the call of its tool under the name of the tool, and stands nowhere else', async () => {
    const { content } = await ask(anIdealModel(sure), view, { ...folding, schema: schemaWith(COMPRESS.parameters) })

    expect(JSON.parse(content)).toMatchObject({
      tools: [{ name: 'read_file' }],
      compress: { from: 1, to: 3, text: expect.stringContaining('log parts 1 to 3 are read') },
    })
    expect((JSON.parse(content) as { tools: object[] }).tools).toHaveLength(1)
  })
})
