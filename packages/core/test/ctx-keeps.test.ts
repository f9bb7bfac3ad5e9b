import { describe, expect, test } from 'vitest'
import { defineModule, type Message } from '../src/index.js'
import { minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

const looking = { tools: [aTool('look')], script: [{ call: 'look' }, { call: 'look' }, 'done'] }

describe('ctx keeps through a run', () => {
  test('the state of a module that declares none', async () => {
    const seen: unknown[] = []
    const plugin = aPlugin<Record<string, never>, { count?: number }>({
      record(_step, ctx) {
        ctx.state.count = (ctx.state.count ?? 0) + 1
        seen.push(ctx.state.count)
      },
    })
    await runOnce({ ...looking, modules: { plugins: [plugin] } })

    expect(seen).toEqual([1, 2, 3])
  })

  test('the tools that a module brings, which are those that are on offer', async () => {
    const same: boolean[] = []
    const plugin = aPlugin({
      tools: () => [aTool('fold')],
      record: (_step, ctx) => void same.push(ctx.tools[0] === ctx.brought[0] && ctx.tools.length === 1),
    })
    await runOnce({ ...looking, modules: { plugins: [plugin] } })

    expect(same).toEqual([true, true, true])
  })

  test('the head, one list, as long as no system section changes', async () => {
    const heads: (readonly Message[])[] = []
    const action = defineModule({
      ...minimalAction,
      system: (ctx) => (ctx.step < 3 ? 'Be careful.' : 'Be quick.'),
      record: (_step, ctx) => void heads.push(ctx.head),
    })
    await runOnce({ ...looking, modules: { action } })

    expect(heads[1]).toBe(heads[0])
    expect(heads.map(([first]) => first?.content)).toEqual(['Be careful.', 'Be careful.', 'Be quick.'])
  })

  test('what a system section notes, in the step that it is of', async () => {
    const action = defineModule({
      ...minimalAction,
      system(ctx) {
        if (ctx.step === 2) ctx.note('remark', 'Half done.')
        return 'Be careful.'
      },
    })
    const { result } = await runOnce({ ...looking, modules: { action } })

    expect(result.steps.map(({ messages }) => messages.map(({ note }) => note).includes('remark'))).toEqual([
      false,
      true,
      false,
    ])
  })

  test('the catalog whole, however few tools are on offer', async () => {
    const shown: unknown[] = []
    const capability = defineModule({ slot: 'capability', summary: 'None.', select: () => ({ tools: [], skills: [] }) })
    const plugin = aPlugin({
      record: (_step, ctx) => void shown.push([ctx.catalog.tools.length, ctx.capabilities.tools.length]),
    })
    await runOnce({ ...looking, script: ['done'], modules: { capability, plugins: [plugin] } })

    expect(shown).toEqual([[1, 0]])
  })
})

test('what a module rolls does not depend on what one before it rolls', async () => {
  const rolls = async (before: number): Promise<readonly number[]> => {
    const rolled: number[] = []
    const first = aPlugin({
      start(ctx) {
        for (let count = 0; count < before; count++) ctx.random()
      },
    })
    const second = aPlugin({ start: (ctx) => void rolled.push(ctx.random(), ctx.random()) })
    await runOnce({ modules: { plugins: [first, second] }, seed: 3 })
    return rolled
  }

  expect(await rolls(2)).toEqual(await rolls(0))
})

test('earlier turns are shown as they were said, without their system message and their places', async () => {
  const messages: readonly Message[] = [
    { role: 'system', content: 'You are somebody else.', id: 'head.0' },
    { role: 'user', content: 'Hello.', id: 'head.1' },
    { role: 'user', content: 'A summary.', id: '4.0', step: 4, covers: [1, 3] },
    { role: 'assistant', content: 'Good day.', id: '5.0', step: 5 },
  ]
  const { requests } = await runOnce({ task: { instruction: 'And?', messages } })

  expect(requests[0]?.messages).toEqual([
    { role: 'user', content: 'Hello.', id: 'head.1' },
    { role: 'user', content: 'A summary.', id: 'head.2' },
    { role: 'assistant', content: 'Good day.', id: 'head.3' },
    { role: 'user', content: 'And?', id: 'head.4' },
  ])
})
