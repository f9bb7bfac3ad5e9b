import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJournal } from '../src/node/index.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'harnesswright-journal-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opening = '{"path":"","ms":0,"opening":{"task":{"instruction":"x"},"limits":{},"seed":1,"session":"s"}}'
const call =
  '{"purpose":"act","by":"action.0","model":"m","usage":{"inputTokens":1,"outputTokens":1},"usd":null,"ms":0}'

test.each([
  ['a path that is a prototype', '{"path":"__proto__","ms":0,"states":{"polluted":true}}'],
  ['a path that leads elsewhere', '{"path":"../1.a","ms":0}'],
  ['a path that is no text', '{"path":{"length":0},"ms":0}'],
  ['a place far behind all others', `{"path":"","ms":0,"call":{"place":1e9,"call":${call}}}`],
  ['a place that is none', `{"path":"","ms":0,"call":{"place":"x","call":${call}}}`],
  ['no object', 'null'],
])('a line of a journal with %s is refused with its number, and does nothing', async (_what, line) => {
  const file = join(folder, 'journal.jsonl')
  writeFileSync(file, `${opening}\n${line}\n`)

  await expect(readJournal(file)).rejects.toMatchObject({
    code: 'E_RUN_JOURNAL',
    message: expect.stringMatching(/^Line 2 of the journal is no entry/),
  })
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
