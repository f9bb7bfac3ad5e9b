import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool, type Observation, type Tool } from '../src/index.js'
import { createScriptedModel, type Script } from '../src/testkit/index.js'
import { aTool, type OneRun, type Ran, runOnce } from './one-run.js'

async function faulty(
  first: Script,
  one: Partial<OneRun> = {},
): Promise<Ran & { observations: readonly Observation[] }> {
  const ran = await runOnce({ model: createScriptedModel([first, 'done']), ...one })
  return { ...ran, observations: ran.result.steps[0]?.observations ?? [] }
}

describe('a tool that fails', () => {
  test('is an observation without a stack trace, and the others of the step are made', async () => {
    const broken = aTool('broken', {
      readOnly: true,
      execute: () => {
        throw new TypeError('no such row')
      },
    })
    const { observations, requests } = await faulty(
      { calls: [{ call: 'broken' }, { call: 'look' }] },
      { tools: [broken, aTool('look', { readOnly: true })] },
    )

    expect(observations).toMatchObject([
      { ok: false, content: 'error: broken failed: no such row', error: { code: 'E_TOOL_FAILED' } },
      { ok: true },
    ])
    expect(JSON.stringify(requests[1])).not.toMatch(/tool-faults\.test|at async/)
  })

  test.each<[string, unknown]>([
    ['a text', 'text'],
    ['nothing', undefined],
    ['null', null],
    ['an object that is no text', Object.create(null)],
  ])('may throw %s', async (_, thrown) => {
    const broken = aTool('broken', { execute: () => Promise.reject(thrown) })

    expect((await faulty({ call: 'broken' }, { tools: [broken] })).observations[0]).toMatchObject({
      ok: false,
      content: expect.stringMatching(/^error: broken failed: /),
      error: { code: 'E_TOOL_FAILED' },
    })
  })

  test('may say so at length: the message is cut in the result and in the record', async () => {
    const broken = aTool('broken', { execute: () => Promise.reject(new Error('x'.repeat(2_000_000))) })
    const { observations } = await faulty({ call: 'broken' }, { tools: [broken] })

    expect(observations[0]?.content.length).toBeLessThan(32_000)
    expect(observations[0]?.error?.message.length).toBeLessThan(32_000)
  })

  test.each<[string, unknown]>([
    ['a date', new Date(0)],
    ['a bigint', 1n],
    ['a function', () => 1],
    [
      'a cycle',
      (() => {
        const cycle: { self?: unknown } = {}
        cycle.self = cycle
        return cycle
      })(),
    ],
  ])('by giving %s has failed', async (_, value) => {
    const odd = aTool('odd', { execute: () => value as never })

    expect((await faulty({ call: 'odd' }, { tools: [odd] })).observations[0]).toMatchObject({
      ok: false,
      error: { code: 'E_TOOL_FAILED' },
    })
  })

  test('to end in its time is told so, its signal is aborted, and its late result is discarded with a warning', async () => {
    let aborted = false
    let finish = (_: string): void => {}
    const slow = aTool('slow', {
      timeoutMs: 20,
      execute: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true
          setTimeout(() => finish('late'), 1)
        })
        return new Promise<string>((resolve) => {
          finish = resolve
        })
      },
    })
    const wait = aTool('wait', { execute: () => new Promise((resolve) => setTimeout(() => resolve('waited'), 15)) })
    const { systemClock } = await import('../src/index.js')
    const { observations, result } = await faulty(
      { calls: [{ call: 'slow' }, { call: 'wait' }] },
      { tools: [slow, wait], env: { clock: systemClock } },
    )

    expect(observations[0]).toMatchObject({
      ok: false,
      content: 'error: slow did not finish within 20 ms',
      error: { code: 'E_TOOL_TIMEOUT' },
    })
    expect(aborted).toBe(true)
    expect(result.warnings).toEqual(['a late result of slow was discarded'])
  })

  test('K40: a tool that may take an hour may: its simulated time passes, and counts against its limit', async () => {
    const hour = 3_600_000
    const long = aTool('long', { latencyMs: hour - 1, timeoutMs: hour })
    const { observations, result } = await faulty(
      { call: 'long' },
      { tools: [long], env: { limits: { ms: 2 * hour } } },
    )
    expect(observations[0]?.ok).toBe(true)
    expect(result.ms).toBe(hour - 1)

    const tooLong = aTool('long', { latencyMs: hour + 1, timeoutMs: hour })
    const late = await faulty({ call: 'long' }, { tools: [tooLong], env: { limits: { ms: 2 * hour } } })
    expect(late.observations[0]).toMatchObject({ error: { code: 'E_TOOL_TIMEOUT' } })
    expect(late.result.ms).toBe(hour)
  })
})

describe('a result', () => {
  const giving = (value: unknown, more: Partial<Tool> = {}): Tool =>
    aTool('give', { execute: () => value as never, ...more })

  test('that is no text is shown as JSON, and its value kept', async () => {
    expect((await faulty({ call: 'give' }, { tools: [giving({ n: [1] })] })).observations[0]).toMatchObject({
      content: '{"n":[1]}',
      data: { n: [1] },
    })
    expect((await faulty({ call: 'give' }, { tools: [giving(undefined)] })).observations[0]).toMatchObject({
      ok: true,
      content: '',
    })
  })

  test('K64: of 2 MB is cut to head and tail, and read_result gives the rest by its id', async () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `line ${index}`).join('\n')
    const script: readonly Script[] = [
      { call: 'give' },
      ({ messages }) => {
        const id = /with id "([^"]+)"/.exec(String(messages.at(-1)?.content))?.[1] ?? ''
        return { call: 'read_result', with: { id, offset: 1_000_000, limit: 100 } }
      },
      'done',
    ]
    const { result, requests } = await runOnce({ script, tools: [giving(text)] })

    const [cut, read] = result.steps.map((step) => step.observations[0])
    expect(cut?.content.length).toBeLessThan(25_000)
    expect(cut?.content.startsWith(text.slice(0, 16_000))).toBe(true)
    expect(cut?.content.endsWith(text.slice(-8_000))).toBe(true)
    expect(cut?.truncated).toBe('a1')
    expect(read?.content.startsWith(text.slice(1_000_000, 1_000_100))).toBe(true)
    expect(requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['give'],
      ['give', 'read_result'],
      ['give', 'read_result'],
    ])
  })

  test('K64: the whole of a cut result can be read in pieces, surrogates and all', async () => {
    const text = '😀abc'.repeat(20_000)
    let read = ''
    const next: Script = ({ messages }) => {
      const content = String(messages.at(-1)?.content)
      const id = /with id "([^"]+)"/.exec(content)?.[1]
      if (id !== undefined) return { call: 'read_result', with: { id, limit: 15_999 } }
      const more = /\n\[characters \d+ to \d+ of \d+; go on at offset (\d+)\]$/.exec(content)
      read += more === null ? content : content.slice(0, more.index)
      return more === null
        ? 'done'
        : { call: 'read_result', with: { id: 'a1', offset: Number(more[1]), limit: 15_999 } }
    }
    const { result } = await runOnce({ script: [{ call: 'give' }, next], tools: [giving(text)] })

    expect(result.status).toBe('answered')
    expect(read).toBe(text)
  })

  test('K64: a piece that ends with the result says so by saying nothing', async () => {
    const script: readonly Script[] = [
      { call: 'give' },
      { call: 'read_result', with: { id: 'a1', offset: 39_990, limit: 9 } },
      { call: 'read_result', with: { id: 'a1', offset: 39_990, limit: 10 } },
      'done',
    ]
    const { result } = await runOnce({ script, tools: [giving('z'.repeat(40_000))] })

    expect(result.steps[1]?.observations[0]?.content).toMatch(/^z{9}\n\[characters 39990 to 39999 of 40000; go on at/)
    expect(result.steps[2]?.observations[0]?.content).toBe('z'.repeat(10))
  })

  test('K64: a huge value is not kept in the record beside its cut text', async () => {
    const { observations, result } = await faulty({ call: 'give' }, { tools: [giving({ rows: 'x'.repeat(100_000) })] })

    expect(observations[0]?.data).toBeUndefined()
    expect(JSON.stringify(result).length).toBeLessThan(150_000)
  })

  test('is cut to the limit of its tool where that has one', async () => {
    const { observations } = await faulty(
      { call: 'give' },
      { tools: [giving('y'.repeat(5_000), { maxResultChars: 1_000 })] },
    )

    expect(observations[0]?.content.length).toBeLessThanOrEqual(1_000)
    expect(observations[0]?.content).toMatch(/^y{500}\n\[… 4250 characters left out.*\]\ny{250}$/)
  })

  test('that is cut is read by the tool read_result of the environment, where that has one', async () => {
    const own = aTool('read_result')
    const { requests } = await faulty({ call: 'give' }, { tools: [giving('z'.repeat(40_000)), own] })

    expect(requests[1]?.tools?.map(({ name }) => name)).toEqual(['give', 'read_result'])
    expect(requests[1]?.tools?.[1]).toBe(own)
  })

  test('of as many characters as its limit is whole, and one character more is cut', async () => {
    const contents = async (length: number) => {
      const tool = aTool('look', { maxResultChars: 40, execute: () => 'x'.repeat(length) })
      const { result } = await runOnce({ tools: [tool], script: [{ call: 'look' }, 'done'] })
      return result.steps[0]?.observations[0]
    }

    expect(await contents(40)).toMatchObject({ content: 'x'.repeat(40) })
    expect((await contents(40))?.truncated).toBeUndefined()
    expect((await contents(41))?.truncated).toBe('a1')
  })

  test('K64: that is read without a limit is not cut again', async () => {
    const big = aTool('big', { execute: () => 'x'.repeat(100_000) })
    const { result } = await runOnce({
      tools: [big],
      script: [{ call: 'big' }, { call: 'read_result', with: { id: 'a1' } }, 'done'],
    })
    const [read] = result.steps[1]?.observations ?? []

    expect(read?.truncated).toBeUndefined()
    expect(read?.content).toMatch(/^x{16000}\n\[characters 0 to 16000 of 100000; go on at offset 16000\]$/)
  })

  test('loses its secrets before it is cut, so that no part of one is left at the cut', async () => {
    const tool = aTool('look', { maxResultChars: 100, execute: () => `${'x'.repeat(45)}hunter2-abc${'y'.repeat(90)}` })
    const { result } = await runOnce({
      tools: [tool],
      script: [{ call: 'look' }, 'done'],
      env: { secrets: ['hunter2-abc'] },
    })

    expect(result.steps[0]?.observations[0]?.content).toMatch(/^x{45}\[secr\n/)
  })

  test('of an artifact that does not exist is an error that the model can read', async () => {
    const script: readonly Script[] = [{ call: 'give' }, { call: 'read_result', with: { id: 'a99' } }, 'done']
    const { result } = await runOnce({ script, tools: [giving('z'.repeat(40_000))] })

    expect(result.steps[1]?.observations[0]?.content).toBe('error: read_result failed: there is no artifact "a99"')
  })

  test('K63: with a lone surrogate is cleaned, in text and in data', async () => {
    expect((await faulty({ call: 'give' }, { tools: [giving('a\ud83d')] })).observations[0]?.content).toBe('a\ufffd')
    const { observations } = await faulty({ call: 'give' }, { tools: [giving({ a: '\ud83d' })] })
    expect(observations[0]?.data).toEqual({ a: '\ufffd' })
    expect(observations[0]?.content).toBe('{"a":"\ufffd"}')
  })

  test('of one run is not seen by another that runs at the same time, though its id is the same', async () => {
    const { aHarness } = await import('./one-run.js')
    const script: Script = ({ messages }) => {
      const content = String(messages.at(-1)?.content)
      if (content.includes('with id "a1"')) return { call: 'read_result', with: { id: 'a1', limit: 10 } }
      return messages.length === 1 ? { call: 'give', with: { what: content } } : 'done'
    }
    const give = aTool('give', { execute: ({ what }: { what: string }) => what.repeat(40_000) })
    const { harness } = await aHarness({ script: [script], tools: [give] })
    const runs = ['x', 'y'].map((task) => harness.run(task).result)

    const read = (await Promise.all(runs)).map((result) => result.steps[1]?.observations[0]?.content.slice(0, 10))
    expect(read).toEqual(['xxxxxxxxxx', 'yyyyyyyyyy'])
  })
})

test('a tool declared with a schema gets what the schema parses to, and its faults are told by field', async () => {
  const seen: unknown[] = []
  const typed = defineTool({
    name: 'typed',
    description: 'Takes a page.',
    input: z.object({
      page: z.int().positive().default(1),
      mail: z.string().refine((text) => text.includes('@'), 'no @ in it'),
    }),
    execute(args) {
      seen.push(args)
      return 'ok'
    },
  })
  const good = await faulty({ call: 'typed', with: { mail: 'a@b' } }, { tools: [typed] })
  expect(good.observations[0]?.ok).toBe(true)
  expect(seen).toEqual([{ page: 1, mail: 'a@b' }])

  const bad = await faulty({ call: 'typed', with: { mail: 'ab' } }, { tools: [typed] })
  expect(bad.observations[0]?.content).toMatch(/^error: .*mail.*no @ in it/)
})
