import type { Message, ModelRequest, ModelResponse, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { aHead, aHeightTask, aLogTask, anExchange, anIdealModel, ask, TOOLS } from './conversation.js'

const SUBGOAL: Tool = {
  name: 'subgoal',
  description: 'Begins the next sub-goal.',
  parameters: { type: 'object', properties: { goal: { type: 'string' } }, required: ['goal'] },
  execute: () => '',
}
const RECALL: Tool = {
  ...SUBGOAL,
  name: 'recall_subgoal',
  parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
}

const naming: Partial<ModelRequest> = { tools: [...TOOLS, RECALL, SUBGOAL], parallelToolCalls: true }
const sure = { fold: 1 }
const head = aHead(aHeightTask(['Alba', 'Borm', 'Cersk', 'Dunmore', 'Eskil', 'Farrow', 'Gildern', 'Halvard']))

function calls({ toolCalls = [] }: ModelResponse): readonly (readonly [string, unknown])[] {
  return toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])
}

function begun(goal: string): readonly Message[] {
  return anExchange('subgoal', { goal }, 'sub-goal 1 has begun')
}

describe('a sub-goal that a tool takes', () => {
  test('is as many goals as can be worked on in one go, before the first call of the same reply', async () => {
    const reply = await ask(anIdealModel(sure), head, naming)

    expect(calls(reply)).toEqual([
      ['subgoal', { goal: 'find the height of Alba, Borm, Cersk and Dunmore' }],
      ['search_files', expect.anything()],
    ])
  })

  test('is not named again while something of it is open, and is followed by the next when nothing is', async () => {
    const found = ['Alba', 'Borm'].flatMap((name) =>
      anExchange('search_files', { query: name }, `The height of ${name} is 146 m.`),
    )
    const view = [...head, ...begun('find the height of Alba, Borm and Cersk'), ...found]
    const last = anExchange('search_files', { query: 'Cersk' }, 'The height of Cersk is 9 m.')

    expect(calls(await ask(anIdealModel(sure), view, naming)).map(([name]) => name)).toEqual(['search_files'])
    expect(calls(await ask(anIdealModel(sure), [...view, ...last], naming))[0]).toEqual([
      'subgoal',
      { goal: 'find the height of Dunmore, Eskil, Farrow, Gildern and Halvard' },
    ])
  })

  test('is also one that only the directive names', async () => {
    const directive: Message = { role: 'user', content: 'Sub-goal 3: find the height of Cersk.' }

    expect(calls(await ask(anIdealModel(sure), [...head, directive], naming)).map(([name]) => name)).toEqual([
      'search_files',
    ])
  })

  test('goes alone where one call is allowed at a time, and is let pass at the rate of folds', async () => {
    const alone = await ask(anIdealModel(sure), head, { ...naming, parallelToolCalls: false })
    const never = await ask(anIdealModel({ fold: 0 }), head, naming)

    expect(calls(alone).map(([name]) => name)).toEqual(['subgoal'])
    expect(calls(never).map(([name]) => name)).toEqual(['search_files'])
  })

  test('is no more of a counted task than fits the window', async () => {
    const reply = await ask(anIdealModel({ ...sure, windowTokens: 16_000 }), aHead(aLogTask(60)), naming)

    expect(calls(reply)[0]).toEqual(['subgoal', { goal: expect.stringMatching(/^read log parts 1 to 3 /) }])
  })
})
