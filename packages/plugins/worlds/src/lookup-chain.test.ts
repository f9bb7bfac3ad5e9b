import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lookupChain } from './lookup-chain.js'
import type { CheckResult, WorldTask } from './world.js'

const sizes = fc.constantFrom('small' as const, 'large' as const)

test('the same options give the same task, byte for byte, and another rng another one', () => {
  fc.assert(
    fc.property(sizes, fc.integer(), (size, rng) => {
      const [one, again, other] = [rng, rng, rng + 1].map((seed) =>
        JSON.stringify(lookupChain.generate({ size, rng: seed }).task),
      )
      expect(again).toBe(one)
      expect(other).not.toBe(one)
    }),
    { numRuns: 20 },
  )
})

test('visits and cards are as many as the size says, and all cards lie in the folder that the task names', () => {
  const counts = { small: { visits: [2, 4], cards: [6, 10] }, large: { visits: [8, 12], cards: [22, 32] } } as const
  const seen = new Set<number>()
  for (let rng = 1; rng <= 30; rng++) {
    for (const size of ['small', 'large'] as const) {
      const { task } = lookupChain.generate({ size, rng })
      const visits = visitsOf(task.instruction)
      seen.add(visits)

      expect(visits).toBeGreaterThanOrEqual(counts[size].visits[0])
      expect(visits).toBeLessThanOrEqual(counts[size].visits[1])
      expect(task.files?.length).toBeGreaterThanOrEqual(counts[size].cards[0])
      expect(task.files?.length).toBeLessThanOrEqual(counts[size].cards[1])
      expect(task.instruction).toContain('people/')
      for (const { path } of task.files ?? []) expect(path).toMatch(/^people\/[a-z]+-[a-z]+\.txt$/)
    }
  }
  expect([...seen].sort((one, other) => one - other)).toEqual([2, 3, 4, 8, 9, 10, 11, 12])
})

test('a card is about 200 tokens long at four characters a token', () => {
  for (const { text = '' } of lookupChain.generate({ size: 'large', rng: 3 }).task.files ?? []) {
    expect(Math.abs(text.length / 4 - 200)).toBeLessThan(40)
  }
})

test('whoever goes from card to card, and stops where the count ends, is right', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer(), async (size, rng) => {
      const task = lookupChain.generate({ size, rng })
      const { badges } = walk(task, visitsOf(task.task.instruction) + 1)

      expect(await check(task, badges.at(-2))).toMatchObject({ reward: 1, passed: true })
      expect(await check(task, badges.at(-1))).toMatchObject({ reward: 0, passed: false }) // who does not count goes too far
      expect(await check(task, badges.at(-3) ?? '')).toMatchObject({ reward: 0 })
    }),
    { numRuns: 40 },
  )
})

test('nobody is visited twice, and no two people have a badge or a card in common', () => {
  for (let rng = 1; rng <= 20; rng++) {
    const task = lookupChain.generate({ size: 'large', rng })
    const { people } = walk(task, visitsOf(task.task.instruction))
    const badges = (task.task.files ?? []).map(({ text = '' }) => /B-\d{5}/.exec(text)?.[0])

    expect(new Set(people).size).toBe(people.length)
    expect(new Set(badges).size).toBe(badges.length)
    expect(new Set(task.task.files?.map(({ path }) => path)).size).toBe(badges.length)
  }
})

describe('the checker', () => {
  const task = lookupChain.generate({ rng: 2 })
  const badge = walk(task, visitsOf(task.task.instruction)).badges.at(-1) ?? ''

  test('takes the badge as it is, in a sentence and in JSON', async () => {
    for (const answer of [badge, `The badge is ${badge}.`, { badge }, [badge, badge]]) {
      expect(await task.check({ answer, readFile: async () => undefined })).toMatchObject({ reward: 1 })
    }
  })

  test('wants no other badge beside it', async () => {
    expect(await check(task, `${badge} or B-11111`)).toMatchObject({
      reward: 0,
      detail: expect.stringContaining(badge),
    })
  })

  test.each([undefined, null, '', 'none', 12345, `B-1`, {}])('gives nothing for the answer %j', async (answer) => {
    const input = answer === undefined ? {} : { answer }

    expect(await task.check({ ...input, readFile: async () => undefined })).toMatchObject({ reward: 0, passed: false })
  })
})

function check(task: WorldTask, answer: string | undefined): Promise<CheckResult> {
  return task.check({ ...(answer === undefined ? {} : { answer }), readFile: async () => undefined })
}

function visitsOf(instruction: string): number {
  return Number(/Make (\d+) visits/.exec(instruction)?.[1])
}

/** Goes from card to card by means of its own. */
function walk({ task }: WorldTask, visits: number): { readonly people: string[]; readonly badges: string[] } {
  const files = new Map((task.files ?? []).map(({ path, text = '' }) => [path, text]))
  let path = /Visit 1 is .* \((people\/[a-z-]+\.txt)\)/.exec(task.instruction)?.[1] ?? ''
  const people: string[] = []
  const badges: string[] = []
  for (let visit = 1; visit <= visits; visit++) {
    const text = files.get(path) ?? ''
    people.push(path)
    badges.push(/The badge of .* is (B-\d+)\./.exec(text)?.[1] ?? '')
    path = /^After .* comes .* \((.*)\)\.$/m.exec(text)?.[1] ?? ''
  }
  return { people, badges }
}
