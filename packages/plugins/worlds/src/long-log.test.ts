import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longLog } from './long-log.js'
import type { CheckResult, WorldTask } from './world.js'

interface Incident {
  readonly id: string
  readonly machine: string
  readonly minutes: number
}

test('the same options give the same task, byte for byte, and another rng another one', () => {
  fc.assert(
    fc.property(fc.integer(), (rng) => {
      const [one, again, other] = [rng, rng, rng + 1].map((seed) =>
        JSON.stringify(longLog.generate({ rng: seed }).task),
      )
      expect(again).toBe(one)
      expect(other).not.toBe(one)
    }),
    { numRuns: 10 },
  )
})

test('a part is 2,900 tokens long at four characters a token, and says which it is at both ends', () => {
  const { task } = longLog.generate({ size: 'large', rng: 4 })
  const files = task.files ?? []

  for (const [index, { path, text = '' }] of files.entries()) {
    expect(Math.abs(text.length / 4 - 2_900)).toBeLessThan(60)
    expect(path).toBe(`log/part-${String(index + 1).padStart(2, '0')}.txt`)
    expect(text).toMatch(new RegExp(`^Plant log, part ${index + 1} of ${files.length},`))
    expect(text).toMatch(new RegExp(`End of part ${index + 1} of ${files.length} of the plant log\\.\n$`))
  }
})

test('parts and incidents are as many as the size says', () => {
  for (let rng = 1; rng <= 12; rng++) {
    const [small, large] = [longLog.generate({ rng }), longLog.generate({ size: 'large', rng })]

    expect(within(small.task.files?.length, 2, 4)).toBe(true)
    expect(within(solve(small).length, 4, 6)).toBe(true)
    expect(within(large.task.files?.length, 56, 72)).toBe(true)
    expect(within(solve(large).length, 9, 14)).toBe(true)
  }
})

test('whoever reads all parts and lists the incidents is right', async () => {
  for (let rng = 1; rng <= 12; rng++) {
    for (const size of ['small', 'large'] as const) {
      const task = longLog.generate({ size, rng })
      expect(await check(task, { incidents: solve(task) })).toMatchObject({ reward: 1, passed: true })
    }
  }
})

describe('the checker', () => {
  const task = longLog.generate({ rng: 3 })
  const right = solve(task)
  const [first, ...rest] = right as [Incident, ...Incident[]]
  const share = 1 / right.length

  test('gives right less wrong over all, and never less than nothing', async () => {
    expect((await check(task, { incidents: rest })).reward).toBeCloseTo(1 - share)
    expect((await check(task, { incidents: [{ ...first, minutes: first.minutes + 1 }, ...rest] })).reward).toBeCloseTo(
      1 - 2 * share,
    )
    expect((await check(task, { incidents: [{ ...first, id: 'I-1' }, ...right] })).reward).toBeCloseTo(1 - share)
    expect((await check(task, { incidents: right.map((one) => ({ ...one, machine: 'oven 1' })) })).reward).toBe(0)
  })

  test('counts what is listed twice as wrong once, and what has no id as wrong', async () => {
    expect((await check(task, { incidents: [first, ...right] })).reward).toBeCloseTo(1 - share)
    expect((await check(task, { incidents: [{}, null, ...right] })).reward).toBeCloseTo(1 - 2 * share)
  })

  test('says what is wrong and what is missing', async () => {
    const { detail } = await check(task, { incidents: [{ id: 'I-1' }, ...rest] })

    expect(detail).toContain(`${rest.length} of ${right.length} incidents right`)
    expect(detail).toContain('wrong: I-1')
    expect(detail).toContain(`not rightly listed: ${first.id}`)
  })

  test('takes a value, a JSON text, and a JSON object in a text', async () => {
    const text = JSON.stringify({ incidents: right })
    for (const answer of [text, `Here it is:\n\`\`\`json\n${text}\n\`\`\`\nThat is all.`]) {
      expect(await task.check({ answer, readFile: async () => undefined })).toMatchObject({ passed: true })
    }
  })

  test.each([undefined, null, '', 'none', '{', '}{', [], { incidents: 3 }, 'a { b } c'])(
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

function within(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && value >= least && value <= most
}

/** Solves a task from its files and nothing else. */
function solve({ task }: WorldTask): readonly Incident[] {
  const text = (task.files ?? []).map((file) => file.text).join('')
  return [...text.matchAll(/incident (\S+): (.+) stood still for (\d+) minutes/g)].map(
    ([, id = '', machine = '', minutes]) => ({
      id,
      machine,
      minutes: Number(minutes),
    }),
  )
}
