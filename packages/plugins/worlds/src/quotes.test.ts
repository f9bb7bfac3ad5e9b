import type { TaskFile } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotes } from './quotes.js'
import type { CheckResult, WorldTask } from './world.js'

const sizes = fc.constantFrom('small' as const, 'large' as const)

interface Quote {
  readonly lines: readonly {
    readonly item: string
    readonly supplier: string
    readonly unitPrice: number
    readonly total: number
  }[]
  readonly sum: number
}

test('the same options give the same task, byte for byte, and another rng another one', () => {
  fc.assert(
    fc.property(sizes, fc.integer(), (size, rng) => {
      const [one, again, other] = [rng, rng, rng + 1].map((seed) =>
        JSON.stringify(quotes.generate({ size, rng: seed }).task),
      )
      expect(again).toBe(one)
      expect(other).not.toBe(one)
    }),
    { numRuns: 20 },
  )
})

test('a task has as many lists, items and lines as its size says, in every format when it is large', () => {
  for (let rng = 1; rng <= 20; rng++) {
    const small = filesOf(quotes.generate({ rng }))
    const large = filesOf(quotes.generate({ size: 'large', rng }))

    expect(small).toHaveLength(3)
    expect(large.length).toBeGreaterThanOrEqual(7)
    expect(large.length).toBeLessThanOrEqual(9)
    expect(new Set(large.slice(1).map(({ path }) => path.split('.').at(-1)))).toEqual(
      new Set(['csv', 'json', 'md', 'txt']),
    )
    for (const { path, text } of large.slice(1)) expect(readList(path, text).size).toBe(110)
  }
})

test('whoever reads the files and follows the instruction is right', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer(), async (size, rng) => {
      const task = quotes.generate({ size, rng })
      expect(await check(task, solve(task))).toMatchObject({ reward: 1, passed: true })
    }),
    { numRuns: 40 },
  )
})

describe('the checker', () => {
  const task = quotes.generate({ rng: 2 })
  const right = solve(task)
  const parts = right.lines.length + 1
  const [first, ...rest] = right.lines as [Quote['lines'][number], ...Quote['lines']]

  test('gives the share of lines and sum that are right', async () => {
    expect((await check(task, { ...right, sum: right.sum + 1 })).reward).toBeCloseTo(1 - 1 / parts)
    expect((await check(task, { lines: rest, sum: right.sum })).reward).toBeCloseTo(1 - 1 / parts)
    expect((await check(task, { lines: [], sum: 0 })).reward).toBe(0)
  })

  test('wants supplier and total of a line to be right, and the item named once', async () => {
    const changes = [
      { supplier: 'Nobody' },
      { total: first.total + 0.01 },
      { item: first.item.toUpperCase() },
      { total: String(first.total) as unknown as number },
    ]
    for (const change of changes) {
      const { passed, detail } = await check(task, { ...right, lines: [{ ...first, ...change }, ...rest] })
      expect(passed).toBe(false)
      expect(detail).toContain(first.item)
    }
    expect((await check(task, { ...right, lines: [first, ...right.lines] })).passed).toBe(false)
  })

  test('takes sums that binary fractions have made a little wrong', async () => {
    expect((await check(task, { ...right, sum: right.sum + 1e-9 })).passed).toBe(true)
  })

  test.each([undefined, '', 'the sum is 3', '[]', '{"lines":3}', 'null'])(
    'gives nothing for the file %j',
    async (text) => {
      const result = await task.check({ readFile: async () => text })

      expect(result).toMatchObject({ reward: 0, passed: false, detail: expect.stringContaining('answer.json') })
    },
  )

  test('reads the workspace only, not the answer', async () => {
    expect(await task.check({ answer: JSON.stringify(right), readFile: async () => undefined })).toMatchObject({
      reward: 0,
    })
  })
})

function check(task: WorldTask, quote: Quote): Promise<CheckResult> {
  return task.check({ readFile: async (path) => (path === 'answer.json' ? JSON.stringify(quote) : undefined) })
}

function filesOf({ task }: WorldTask): readonly Required<Pick<TaskFile, 'path' | 'text'>>[] {
  return (task.files ?? []).map(({ path, text = '' }) => ({ path, text }))
}

/** Solves a task from its files and nothing else, by means of its own. */
function solve(task: WorldTask): Quote {
  const [order, ...files] = filesOf(task)
  const text = order?.text ?? ''
  const approved = /Approved suppliers: (.*)/.exec(text)?.[1]?.split(' and ') ?? []
  const lists = approved.map((supplier) => {
    const file = files.find(({ path }) => path.includes(`/${supplier.toLowerCase()}.`))
    return { supplier, prices: readList(file?.path ?? '', file?.text ?? '') }
  })
  const lines = [...text.matchAll(/^\d+\. (\d+) pieces of (.*)$/gm)].map(([, pieces, item = '']) => {
    const [best] = lists
      .map(({ supplier, prices }) => ({ supplier, unitPrice: prices.get(item) ?? 0 }))
      .sort((a, b) => a.unitPrice - b.unitPrice)
    const { supplier = '', unitPrice = 0 } = best ?? {}
    return { item, supplier, unitPrice, total: Math.round(unitPrice * Number(pieces) * 100) / 100 }
  })
  return { lines, sum: Math.round(lines.reduce((sum, line) => sum + line.total, 0) * 100) / 100 }
}

function readList(path: string, text: string): ReadonlyMap<string, number> {
  if (path.endsWith('.json')) {
    const { per, prices } = JSON.parse(text) as { per: number; prices: Record<string, number> }
    return new Map(Object.entries(prices).map(([item, price]) => [item, price / per]))
  }
  return new Map(
    [...text.matchAll(/([a-z]+ [a-z]+)[ .,|]+(\d+\.\d\d)/g)].map(([, item = '', price]) => [item, Number(price)]),
  )
}
