import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { aChainTask, aHead, aHeightTask, aLogTask, anIdealModel, aQuoteTask, ask, TOOLS } from './conversation.js'

// Whatever grew with the square of a request would take minutes here, and hold up every other client of a served model.

const COUNT = 20_000

/** So many different names. */
const TOWERS = Array.from({ length: COUNT }, (_, index) => {
  const letters = [...index.toString(16)].map((digit) =>
    String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)),
  )
  return `T${letters.join('')}`
})

const facts = TOWERS.map((name, index) => `the height of ${name} is ${index} m`).join('; ')
const visits = TOWERS.map((name, index) => `visit ${index} is ${name} Pell (people/${index}.txt)`).join('; ')
const answer = JSON.stringify({ heights: Object.fromEntries(TOWERS.map((name, index) => [name, index])) })
const entries = TOWERS.map((name, index) => `[Node ${index}] the height of ${name} is ${index} m`).join('\n')

const VIEWS: Readonly<Record<string, readonly Message[]>> = {
  'many towers': [...aHead(aHeightTask(TOWERS)), { role: 'user', content: facts }],
  'many nodes': [...aHead(aHeightTask(TOWERS)), { role: 'user', content: entries }],
  'many visits': [...aHead(aChainTask(COUNT)), { role: 'user', content: visits }],
  'a visit that is far away': aHead('make visits 1 and 999999999999999 (visit 999999999999998 is Ada Moreno (a.txt))'),
  'many parts': aHead(aLogTask(99)),
  'many suppliers': aHead(aQuoteTask(TOWERS)),
  'candidates that say much': [
    ...aHead(aHeightTask(TOWERS)),
    { role: 'user', content: [1, 2, 3].map((number) => `Candidate ${number}: ${answer}`).join('\n') },
  ],
}

const PURPOSES = [
  'act',
  'plan',
  'review',
  'summarise',
  'memorise',
  'recall',
  'research',
  'aggregate',
  'judge',
  'finish',
]

const schema = {
  type: 'object',
  properties: {
    goals: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
    },
    answer: { type: 'string' },
    flush_ops: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
    keyword_queries: { type: 'array', items: { type: 'string' } },
  },
}

test.each(Object.keys(VIEWS))(
  'a request with %s is answered in time, whatever it is for',
  async (view) => {
    const model = anIdealModel({ windowTokens: 100_000_000, par: 5 })
    for (const purpose of PURPOSES) {
      const reply = await ask(model, VIEWS[view] ?? [], {
        purpose,
        tools: TOOLS,
        ...(purpose === 'act' ? {} : { schema }),
      })
      expect(reply.usage?.outputTokens).toBeLessThanOrEqual(4_096)
    }
  },
  30_000,
)
