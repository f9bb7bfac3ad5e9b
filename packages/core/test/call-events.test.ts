import { expect, test } from 'vitest'
import { aPlugin, aTool, type Ran, runOnce } from './one-run.js'

const starts = ({ events }: Ran) => events.flatMap((event) => (event.type === 'tool-start' ? [event.tool] : []))
const calls = (...names: readonly string[]) => ({ calls: names.map((call) => ({ call })) })

test('every call that is made says that it starts, those of modules first, and one that is refused does not', async () => {
  const guard = aPlugin({
    tools: () => [aTool('fold')],
    toolCall: ({ name }) => (name === 'drop' ? { deny: true, reason: 'It drops.' } : undefined),
  })
  const ran = await runOnce({
    tools: [aTool('look'), aTool('drop')],
    script: [calls('look', 'drop', 'fold', 'none'), 'done'],
    modules: { plugins: [guard] },
  })

  expect(starts(ran)).toEqual(['fold', 'look'])
  expect(ran.result.steps[0]?.observations.map(({ ok }) => ok)).toEqual([true, false, true, false])
})

test('the results of a step pass through their taps one after another', async () => {
  const log: string[] = []
  const plugin = aPlugin({
    async toolResult({ tool }) {
      log.push(`${tool} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${tool} ends`)
      return undefined
    },
  })
  const tools = [aTool('look', { readOnly: true }), aTool('find', { readOnly: true })]
  await runOnce({ tools, script: [calls('look', 'find'), 'done'], modules: { plugins: [plugin] } })

  expect(log).toEqual(['look begins', 'look ends', 'find begins', 'find ends'])
})

test('a run ends at the limit of calls, whichever call of a step is over it, also where the refused ones repeat themselves', async () => {
  const over = async (...names: readonly string[]) => {
    const { result } = await runOnce({
      tools: [aTool('look')],
      script: { act: [calls(...names)], finish: ['closing'] },
      limits: { toolCalls: 1 },
    })
    return [result.reason, result.spent.toolCalls]
  }

  expect(await over('look', 'look')).toEqual(['tool_calls', 1])
  expect(await over('look', 'look', 'look', 'look', 'look', 'look')).toEqual(['tool_calls', 1])
})
