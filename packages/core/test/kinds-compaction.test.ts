import { describe, expect, test } from 'vitest'
import { type Ctx, defineModule, type Message, type ModelRequest, type Module } from '../src/index.js'
import type { Script } from '../src/testkit/index.js'
import { aCounter, type OneRun, runOnce } from './one-run.js'

type State = { summary: string | null; folded: number }

/** A memory that sums the run up every two steps, and shows its summary and what came after it. */
const folding: Module = defineModule({
  slot: 'memory',
  summary: 'Sums up every two steps.',
  state: (): State => ({ summary: null, folded: 0 }),
  async view(ctx) {
    if (ctx.history.length >= ctx.state.folded + 2) {
      const request = { role: 'user', content: 'Sum this up.' } as const
      const { content } = await ctx.model({ purpose: 'summarise', messages: [...shown(ctx), request] })
      ctx.state = { summary: content, folded: ctx.history.length }
    }
    return { messages: shown(ctx) }
  },
})

function shown({ view, head, state }: Ctx<Record<string, never>, State>): readonly Message[] {
  if (state.summary === null) return view.messages
  const rest = view.messages.slice(head.length).filter(({ step = 0 }) => step > state.folded)
  return [...head, { role: 'user', content: state.summary, covers: [1, state.folded] }, ...rest]
}

const folded = (summaries: readonly Script[], steps: number): OneRun => ({
  modules: { memory: folding },
  tools: [aCounter('look')],
  script: { act: [...Array.from({ length: steps }, (): Script => ({ call: 'look' })), 'done'], summarise: summaries },
})
const purposes = (requests: readonly ModelRequest[]): readonly string[] => requests.map(({ purpose }) => purpose)

describe('a summary', () => {
  test.each([
    ['empty', ''],
    ['blank', ' \n\t'],
    ['null', { content: null as never, finish: 'stop' }],
    ['only reasoning', { content: '', reasoning: 'There is nothing to say.', finish: 'stop' }],
  ] as const)(
    'K47: that is %s is an error and no success: nothing is forgotten, and no round follows',
    async (_, empty) => {
      const { result, requests } = await runOnce(folded([empty], 40))

      expect(result).toMatchObject({ status: 'failed', reason: 'empty_reply', error: { code: 'E_RUN_EMPTY_REPLY' } })
      expect(purposes(requests)).toEqual(['act', 'act', 'summarise', 'summarise'])
      expect(result.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))).toEqual([
        'look 1',
        'look 2',
      ])
    },
  )

  test('K47: that is empty once is asked for again, and stands where the steps stood', async () => {
    const { result, requests } = await runOnce(folded(['', 'Two looks.'], 3))

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(purposes(requests)).toEqual(['act', 'act', 'summarise', 'summarise', 'act', 'act'])
    expect(requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Do the task.',
      'Two looks.',
      '',
      'look 3',
    ])
  })
})

test('K48: what a large result makes of the next request is checked before that is sent, and not after the turn', async () => {
  const model = (asked: ModelRequest): Script => (asked.messages.length === 1 ? { call: 'dump' } : 'never')
  const { result, requests } = await runOnce({
    tools: [aCounter('dump', { execute: () => 'x'.repeat(30_000) })],
    script: { act: [model], finish: ['The dump is too large.'] },
    env: { budget: 'strict', limits: { reserve: 0.9 } },
    limits: { tokens: 40_000 },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'tokens', answer: 'The dump is too large.' })
  expect(purposes(requests).filter((purpose) => purpose === 'act')).toEqual(['act'])
  expect(result.spent.tokens).toBeLessThanOrEqual(40_000)
})
