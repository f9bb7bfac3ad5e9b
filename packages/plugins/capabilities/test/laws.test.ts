import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acts, aTool, offered, runScript, seedWith, use } from './support/harness.js'

const NAMES = ['mix', 'bake', 'taste', 'measure', 'clean']
const DEEDS = ['mix the dough', 'bake a loaf', 'taste the crust', 'measure flour', 'clean the oven', 'wait', '']
const LONG = { timeout: 60_000 }

test('retrieval: whatever is said and searched for, the list only grows, and stays in its bounds', LONG, async () => {
  const tools = NAMES.flatMap((name) => ['a', 'b', 'c', 'd'].map((kind) => aTool(`${name}_${kind}`)))
  const deed = fc.constantFrom(...DEEDS)
  const step = fc.record({ say: deed, query: fc.option(fc.constantFrom(...NAMES), { nil: undefined }) })
  const options = fc.record({ top: fc.integer({ min: 1, max: 6 }), most: fc.integer({ min: 1, max: 12 }) })
  await fc.assert(
    fc.asyncProperty(deed, fc.array(step, { maxLength: 6 }), options, async (task, steps, { top, most }) => {
      const script = steps.map(({ say, query }, index) =>
        query === undefined
          ? { call: 'clean_d', with: { text: `${index}` }, say }
          : { call: 'find_tools', with: { query }, say },
      )
      const run = await runScript({
        manifest: seedWith('react', use('retrieval', { top, most, hits: 2, always: ['clean_d'] })),
        tools,
        task: `Now ${task}.`,
        script: [...script, 'done'],
      })

      const lists = acts(run).map(offered)
      for (const [index, list] of lists.entries())
        expect(list.slice(0, lists[index - 1]?.length ?? 0)).toEqual(lists[index - 1] ?? [])
      const searches = steps.filter(({ query }) => query !== undefined).length
      expect(lists.at(-1)?.length).toBeLessThanOrEqual(Math.max(top, most) + 2 * searches + 2)
      expect(lists[0]?.length).toBeLessThanOrEqual(top + 2)
      expect(new Set(lists.at(-1)).size).toBe(lists.at(-1)?.length)
    }),
    { numRuns: 40 },
  )
})

test('sequenced: whatever the model calls, what runs is the order, and only then anything else', LONG, async () => {
  const name = fc.constantFrom(...NAMES)
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 4 }),
      fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      async (order, replies) => {
        const ran: string[] = []
        const tools = NAMES.map((one) => aTool(one, one, { execute: () => `${ran.push(one)}` }))
        await runScript({
          manifest: seedWith('react', use('sequenced', { order })),
          tools,
          script: [...replies.map((calls) => ({ calls: calls.map((call) => ({ call })) })), 'done'],
        })

        let done = 0
        for (const one of ran) {
          if (done === order.length) break
          if (one === order[done]) done += 1
          else expect(one).toBe(order[done - 1]) // it came several times in one reply
        }
      },
    ),
    { numRuns: 60 },
  )
})
