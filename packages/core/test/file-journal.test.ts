import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createEnvironment,
  ERRORS,
  type Harness,
  type Journal,
  type JournalEntry,
  type Run,
  type RunResult,
  type Snapshot,
} from '../src/index.js'
import { createFileJournal, readJournal } from '../src/node/index.js'
import { assembleModules, createVirtualClock } from '../src/testkit/index.js'
import { looking } from './looking.js'
import { obedientModel, type PlannedRun, plannedModules, plannedRun, plannedTools } from './random-tree.js'

const LONG = { timeout: 60_000 }

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-journal-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const aFile = (): string => join(folder, `${++files}.jsonl`)

async function plannedHarness(plan: PlannedRun, journal: Journal): Promise<Harness> {
  const env = createEnvironment({
    model: obedientModel(),
    tools: plannedTools(),
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    journal,
  })
  return await assembleModules(plannedModules(plan), env)
}

/** A run whose journal is in a file, with its snapshot as text at every point at which something was made durable. */
async function journalled(plan: PlannedRun, file = aFile()) {
  const journal = await createFileJournal(file)
  const points: string[] = []
  let run: Run | undefined
  const harness = await plannedHarness(plan, {
    append(entry: JournalEntry) {
      points.push(textOf(run?.snapshot()))
      return journal.append(entry)
    },
  })
  run = harness.run('Do as planned.', { seed: 3 })
  const result = await run.result
  await journal.close()
  return { file, points, result, last: textOf(run.snapshot()) }
}

/** JSON with the fields of each object in the order of their names, but for children: theirs is seen by modules. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, item) => {
    if (key === 'children' || typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** What a run left behind, without times and costs: what was begun twice took twice the time and was paid twice. */
function traceOf(result: RunResult): string {
  return JSON.stringify(JSON.parse(textOf(result)), (key, value) =>
    ['at', 'ms', 'spent'].includes(key) ? undefined : value,
  )
}

async function read(file: string): Promise<string> {
  return textOf(await readJournal(file))
}

/** A plan with everything in it. */
const ALL: PlannedRun = {
  steps: [
    { kind: 'call', calls: ['text', 'value', 'keep'] },
    {
      kind: 'spawn',
      runs: [
        { steps: [{ kind: 'call', calls: ['long', 'note'] }], end: 'answer', latencyMs: 5 },
        { steps: [{ kind: 'call', calls: ['torn'] }, { kind: 'think' }], end: 'fail', latencyMs: 2 },
      ],
      calls: ['broken'],
      concurrency: 2,
      delegated: true,
    },
    { kind: 'call', calls: ['note', 'text'] },
  ],
  end: 'answer',
  latencyMs: 1,
}

describe('the journal of a run', () => {
  test(
    'is at every point what the snapshot of the run is there, whatever the run and its child runs do',
    LONG,
    async () => {
      const property = fc.asyncProperty(plannedRun(2, 3), async (plan) => {
        const { file, points, last } = await journalled(plan)
        const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
        expect(lines.length).toBe(points.length)
        const part = aFile()
        const stride = Math.ceil(lines.length / 30) // of a long run points of every kind, not every one
        for (const [index, line] of lines.entries()) {
          appendFileSync(part, `${line}\n`)
          if (index % stride === 0) expect(await read(part)).toBe(points[index])
        }
        expect(await read(file)).toBe(last)
      })
      await fc.assert(property, { numRuns: 15 })
    },
  )

  test('holds each thing once: neither the calls of a reply nor a value that is also its text are there twice', async () => {
    const { file } = await journalled({ steps: [{ kind: 'call', calls: ['value'] }], end: 'answer', latencyMs: 0 })
    const text = readFileSync(file, 'utf8')
    const times = (what: string): number => text.split(what).length - 1
    expect(times('\\"deep\\"')).toBe(1) // in the text of the observation; not as its data, nor in the step
    expect(times('"deep"')).toBe(0)
    expect(times('"name":"value"')).toBe(1)
  })

  test('that is of a second run, in the file of a first, is that of the second alone', async () => {
    const file = aFile()
    await journalled(ALL, file)
    const { last } = await journalled({ steps: [{ kind: 'think' }], end: 'answer', latencyMs: 0 }, file)
    expect(await read(file)).toBe(last)
    expect(Object.keys((JSON.parse(last) as Snapshot).runs)).toEqual([''])
  })
})

describe('a last line that a crash has torn', () => {
  test('is left out, whichever of its bytes is the last', LONG, async () => {
    const { file, points } = await journalled(ALL)
    const bytes = readFileSync(file)
    const part = aFile()
    for (const line of [5, points.length - 1]) {
      let begin = 0
      for (let index = 0; index < line; index++) begin = bytes.indexOf(0x0a, begin) + 1
      const end = bytes.indexOf(0x0a, begin)
      for (let cut = begin; cut <= end; cut++) {
        writeFileSync(part, bytes.subarray(0, cut))
        expect(await read(part)).toBe(points[line - 1])
      }
    }
  })

  test('is cut off, and the run goes on in the same file as if nothing had been', LONG, async () => {
    const { file, points, result } = await journalled(ALL)
    const whole = readFileSync(file)
    const begins = [0]
    for (let at = whole.indexOf(0x0a); at >= 0; at = whole.indexOf(0x0a, at + 1)) begins.push(at + 1)
    expect(points.length).toBeGreaterThan(30)
    for (let line = 1; line < points.length; line += 2) {
      const cut = (begins[line] as number) + (line % 7) * 11
      truncateSync(file, 0)
      writeFileSync(file, whole.subarray(0, Math.min(cut, (begins[line + 1] as number) - 1)))
      const snapshot = await readJournal(file)
      const journal = await createFileJournal(file)
      const run = await (await plannedHarness(ALL, journal)).resume(snapshot)
      const again = await run.result
      await journal.close()
      expect([again.status, again.answer]).toEqual([result.status, result.answer])
      expect(again.messages).toEqual(result.messages)
      expect(await read(file)).toBe(textOf(run.snapshot()))
    }
  })

  test(
    'is no end for any run: it goes on from any line to the same record, and its journal to the same snapshot',
    LONG,
    async () => {
      const property = fc.asyncProperty(
        plannedRun(2, 3),
        fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
        async (plan, at) => {
          const { file, result } = await journalled(plan)
          const whole = readFileSync(file)
          for (const cut of at.map(
            (place) => whole.indexOf(0x0a) + 1 + (place % (whole.length - whole.indexOf(0x0a))),
          )) {
            writeFileSync(file, whole.subarray(0, cut))
            const snapshot = await readJournal(file)
            const journal = await createFileJournal(file)
            const run = await (await plannedHarness(plan, journal)).resume(snapshot)
            expect(traceOf(await run.result)).toBe(traceOf(result))
            await journal.close()
            expect(await read(file)).toBe(textOf(run.snapshot()))
          }
        },
      )
      await fc.assert(property, { numRuns: 12 })
    },
  )

  test('is not another line than the last: what is no entry in between is refused, with its number', async () => {
    const { file } = await journalled(ALL)
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const bad of ['{"path":', 'null', '{}', '"text"', '{"path":"9.z","ms":1,"started":"x"}']) {
      const part = aFile()
      writeFileSync(part, [...lines.slice(0, 3), bad, ...lines.slice(4)].join('\n'))
      await expect(readJournal(part)).rejects.toMatchObject({
        code: 'E_RUN_JOURNAL',
        message: expect.stringContaining('Line 4'),
        hint: expect.stringMatching(/journal/),
      })
    }
  })
})

describe('a journal that cannot be written', () => {
  test('because a folder is in its place is refused when it is opened, and when it is read', async () => {
    const fix = { code: 'E_RUN_JOURNAL', hint: expect.stringMatching(/\w/) }
    await expect(createFileJournal(folder)).rejects.toMatchObject(fix)
    await expect(readJournal(folder)).rejects.toMatchObject(fix)
    await expect(readJournal(join(folder, 'absent.jsonl'))).rejects.toMatchObject(fix)
  })

  test('ends the run with what to do about it, and the run goes on from what it holds: nothing is lost', async () => {
    const entries: JournalEntry[] = []
    const full: Journal = {
      append(entry) {
        if (entries.length === 9) throw new Error('no space left on device')
        entries.push(entry)
      },
    }
    const run = (await plannedHarness(ALL, full)).run('Do as planned.', { seed: 3 })
    const failed = await run.result
    expect(failed).toMatchObject({
      status: 'failed',
      reason: 'E_RUN_JOURNAL',
      error: { code: 'E_RUN_JOURNAL', message: 'The journal was not written: no space left on device' },
    })
    const { result } = await journalled(ALL)
    const again = await plannedHarness(ALL, { append: () => {} })
    const resumed = await (await again.resume(JSON.parse(JSON.stringify(run.snapshot())) as Snapshot)).result
    expect([resumed.answer, resumed.messages]).toEqual([result.answer, result.messages])
  })

  test('has no gaps: after one entry that was not written none is', async () => {
    const file = aFile()
    const journal = await createFileJournal(file)
    await journal.close()
    const opening = { path: '', ms: 0 } as JournalEntry
    await expect(journal.append(opening)).rejects.toThrow()
    await expect(journal.append(opening)).rejects.toThrow()
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  test.skipIf(process.platform === 'win32')(
    'because the disk is full, really: the process says so, and what was written goes on elsewhere',
    LONG,
    async () => {
      const file = aFile()
      const { stdout } = await limited(file, 8)
      expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', reason: 'E_RUN_JOURNAL' })
      expect(ERRORS.E_RUN_JOURNAL[1]).toMatch(/^Make room/)
      const snapshot = await readJournal(file)
      const done = snapshot.runs['']?.steps.length ?? 0
      expect(done).toBeGreaterThan(2)

      const journal = await createFileJournal(file)
      const { harness } = await looking(40, journal)
      const { status, answer, steps } = await (await harness.resume(snapshot)).result
      expect({ status, answer, steps: steps.length }).toEqual({ status: 'answered', answer: 'seen 40', steps: 41 })
      await journal.close()
    },
  )
})

describe('bytes in the journal', () => {
  const measured = new Map<number, { readonly journal: number; readonly history: number }>()
  beforeAll(async () => {
    for (const times of [20, 100]) {
      const file = aFile()
      const journal = await createFileJournal(file)
      const { harness } = await looking(times, journal)
      const { messages, status } = await harness.run('Look at every page.').result
      await journal.close()
      expect(status).toBe('answered')
      const history = Buffer.byteLength(JSON.stringify(messages))
      measured.set(times, { journal: readFileSync(file).length, history })
    }
  })

  test('of a run of 100 steps are at most twice those of its final history', () => {
    const { journal = 0, history = 1 } = measured.get(100) ?? {}
    expect(journal / history).toBeLessThanOrEqual(2)
  })

  test('grow with the steps, not with their square', () => {
    const [few, many] = [20, 100].map((times) => measured.get(times)?.journal ?? 0) as [number, number]
    expect(many / few).toBeLessThanOrEqual(5.5)
  })
})

/** Runs in a process that may write files of so many KiB. */
async function limited(file: string, kib: number): Promise<{ readonly stdout: string }> {
  const script = fileURLToPath(new URL('./journal-on-a-full-disk.ts', import.meta.url))
  const command = `ulimit -f ${kib * 2}; exec "$0" --conditions=@harnesswright/source --import tsx "$1" "$2"`
  const cwd = join(import.meta.dirname, '../../..')
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' } // its files would be cut too
  return await promisify(execFile)('sh', ['-c', command, process.execPath, script, file], { cwd, env })
}
