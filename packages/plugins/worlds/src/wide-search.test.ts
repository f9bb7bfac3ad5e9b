import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLatency } from './latency.js'
import { wideSearch } from './wide-search.js'
import type { CheckResult, WorldTask } from './world.js'

const sizes = fc.constantFrom('small' as const, 'large' as const)

test('the same options give the same task, byte for byte, and another rng another one', () => {
  fc.assert(
    fc.property(sizes, fc.integer(), (size, rng) => {
      const [one, again, other] = [rng, rng, rng + 1].map((seed) => {
        const { task, toolLatencyMs } = wideSearch.generate({ size, rng: seed })
        return JSON.stringify([task, toolLatencyMs])
      })
      expect(again).toBe(one)
      expect(other).not.toBe(one)
    }),
    { numRuns: 20 },
  )
})

test('2 to 4 or 12 to 20 towers are asked for, and the gazetteer has others beside them', () => {
  const seen = new Set<number>()
  for (let rng = 1; rng <= 60; rng++) {
    for (const size of ['small', 'large'] as const) {
      const { task } = wideSearch.generate({ size, rng })
      const asked = askedOf(task.instruction)
      seen.add(asked.length)

      expect(Number(/heights of (\d+) towers/.exec(task.instruction)?.[1])).toBe(asked.length)
      expect(sectionsOf(task).length).toBeGreaterThan(asked.length)
    }
  }
  expect([...seen].sort((one, other) => one - other)).toEqual([2, 3, 4, 12, 13, 14, 15, 16, 17, 18, 19, 20])
})

test('the heights of three towers in ten are on a survey sheet, which does not name its tower', () => {
  let all = 0
  let onSheets = 0
  for (let rng = 1; rng <= 60; rng++) {
    const { task } = wideSearch.generate({ size: 'large', rng })
    all += sectionsOf(task).length
    const sheets = (task.files ?? []).filter(({ path }) => path.startsWith('sheets/'))
    onSheets += sheets.length
    for (const { text = '' } of sheets) for (const name of sectionsOf(task)) expect(text).not.toContain(name)
  }
  expect(onSheets / all).toBeGreaterThan(0.26)
  expect(onSheets / all).toBeLessThan(0.34)
})

test('a search for a tower finds about 350 tokens, all of which are of this tower', () => {
  const { task } = wideSearch.generate({ size: 'large', rng: 4 })
  for (const name of askedOf(task.instruction)) {
    const hits = (task.files ?? []).flatMap(({ path, text = '' }) =>
      text.split('\n').flatMap((line) => (line.includes(name) ? [`${path}:10: ${line}`] : [])),
    )
    const others = sectionsOf(task).filter((other) => other !== name)

    expect(Math.abs(hits.join('\n').length / 4 - 350)).toBeLessThan(60)
    expect(new Set(hits.map((hit) => hit.split(':')[0])).size).toBe(1)
    for (const other of others) expect(hits.join('\n')).not.toContain(other)
  }
})

test('a search takes 3 to 6 s of simulated time, opening a page 2.5 s, and any other tool 60 ms', () => {
  for (let rng = 1; rng <= 20; rng++) {
    const { toolLatencyMs } = wideSearch.generate({ rng })
    const msOf = (name: string) =>
      withLatency({ name, description: '', parameters: {}, execute: () => '' }, toolLatencyMs).latencyMs

    expect([msOf('read_file'), msOf('list_files'), msOf('write_file')]).toEqual([2_500, 60, 60])
    expect(msOf('search_files')).toBeGreaterThanOrEqual(3_000)
    expect(msOf('search_files')).toBeLessThanOrEqual(6_000)
  }
})

test('whoever looks up every tower, on its sheet where it is there, is right', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer(), async (size, rng) => {
      const task = wideSearch.generate({ size, rng })
      expect(await check(task, { heights: solve(task) })).toMatchObject({ reward: 1, passed: true })
    }),
    { numRuns: 40 },
  )
})

describe('the checker', () => {
  const task = wideSearch.generate({ size: 'large', rng: 3 })
  const right = solve(task)
  const [[first = '', metres = 0] = [], ...rest] = Object.entries(right)
  const share = 1 / Object.keys(right).length

  test('gives the share of heights that are right, and says what is not', async () => {
    const without = await check(task, { heights: Object.fromEntries(rest) })
    const wrong = await check(task, { heights: { ...right, [first]: metres + 1 } })

    expect(without).toMatchObject({ passed: false, detail: expect.stringContaining(`${first}: missing`) })
    expect(without.reward).toBeCloseTo(1 - share)
    expect(wrong.reward).toBeCloseTo(1 - share)
    expect(wrong.detail).toContain(`${first}: ${metres + 1}, expected ${metres}`)
    expect((await check(task, { heights: { ...right, [first]: String(metres) } })).reward).toBeCloseTo(1 - share)
  })

  test('is not misled by towers that nobody asked for, nor by names that every object has', async () => {
    expect(await check(task, { heights: { ...right, Babel: 91 } })).toMatchObject({ passed: true })
    expect(await check(task, { heights: { constructor: 3 } })).toMatchObject({ reward: 0 })
  })

  test('takes a value, a JSON text, and a JSON object in a text', async () => {
    const text = JSON.stringify({ heights: right })
    for (const answer of [text, `Here:\n\`\`\`json\n${text}\n\`\`\``]) {
      expect(await task.check({ answer, readFile: async () => undefined })).toMatchObject({ passed: true })
    }
  })

  test.each([undefined, null, '', '{', 'none', [], { heights: 3 }, { heights: [] }, { heights: null }])(
    'gives nothing for the answer %j',
    async (answer) => {
      const input = answer === undefined ? {} : { answer: answer as string }

      expect(await task.check({ ...input, readFile: async () => undefined })).toMatchObject({
        reward: 0,
        passed: false,
      })
    },
  )
})

function check(task: WorldTask, answer: unknown): Promise<CheckResult> {
  return task.check({ answer: JSON.parse(JSON.stringify(answer)), readFile: async () => undefined })
}

function askedOf(instruction: string): readonly string[] {
  return /towers: ([^.]*)\./.exec(instruction)?.[1]?.split(/, | and /) ?? []
}

function sectionsOf(task: WorldTask['task']): readonly string[] {
  return (task.files ?? []).flatMap(({ text = '' }) => [...text.matchAll(/^## (.*)$/gm)].map(([, name = '']) => name))
}

/** Looks the heights up in the files by means of its own. */
function solve({ task }: WorldTask): Readonly<Record<string, number>> {
  const text = (task.files ?? []).map((file) => file.text).join('\n')
  return Object.fromEntries(
    askedOf(task.instruction).map((name) => {
      const sheet = new RegExp(`height of ${name} is on survey sheet (\\d+)`).exec(text)?.[1]
      const source = sheet === undefined ? `height of ${name} is (\\d+) m` : `sheet ${sheet} gives (\\d+) m`
      return [name, Number(new RegExp(source).exec(text)?.[1])]
    }),
  )
}
