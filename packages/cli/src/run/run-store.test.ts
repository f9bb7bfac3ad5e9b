import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimRun } from './claim-run.js'
import { createRunDirectory, openTrace, writeRecord } from './run-store.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'harnesswright-store-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('the newest 200 runs are kept, and what is not a run is left alone', async () => {
  mkdirSync(join(home, 'runs', 'notes'), { recursive: true })
  for (let index = 0; index < 203; index++) {
    mkdirSync(join(home, 'runs', `20260101T0000${String(index).padStart(5, '0')}Z-00000000`))
  }

  const { id } = await createRunDirectory(home, Date.UTC(2026, 5, 1))

  const left = readdirSync(join(home, 'runs')).sort()
  expect(left).toHaveLength(201)
  expect(left).toContain(id)
  expect(left).toContain('notes')
  expect(left[0]).toBe('20260101T000000004Z-00000000')
})

test('a run that is under way is kept, however old', async () => {
  const [first, ...others] = Array.from({ length: 202 }, (_, index) =>
    join(home, 'runs', `20260101T0000${String(index).padStart(5, '0')}Z-00000000`),
  ) as [string, ...string[]]
  for (const path of [first, ...others]) mkdirSync(path, { recursive: true })
  const unclaim = claimRun(first)

  await createRunDirectory(home, Date.UTC(2026, 5, 1))
  expect([existsSync(first), existsSync(others[0] as string)]).toEqual([true, false])

  unclaim()
  await createRunDirectory(home, Date.UTC(2026, 5, 2))
  expect(existsSync(first)).toBe(false)
})

test('the name of a run is legal on every system', async () => {
  const { id } = await createRunDirectory(home, Date.UTC(2026, 5, 1, 12, 30, 15, 7))

  expect(id).toMatch(/^20260601T123015007Z-[0-9a-f]{8}$/)
})

test('a trace has one event a line, each written at once', () => {
  const trace = openTrace(join(home, 'trace.jsonl'), [])
  trace.write({ type: 'step-start', path: '', step: 1, at: 0 })

  expect(readFileSync(trace.path, 'utf8')).toBe('{"type":"step-start","path":"","step":1,"at":0}\n')
  trace.close()
})

test('a trace that cannot be written is told before the run', () => {
  expect(() => openTrace(join(home, 'none', 'trace.jsonl'), [])).toThrow(
    expect.objectContaining({ code: 'E_CLI_FILE' }),
  )
})

test('a record holds no secret', async () => {
  await writeRecord(join(home, 'a.json'), { text: 'key sk-secret-1 here' }, ['sk-secret-1'])

  expect(JSON.parse(readFileSync(join(home, 'a.json'), 'utf8'))).toEqual({ text: 'key [secret] here' })
})
