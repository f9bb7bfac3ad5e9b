import { expect, test } from 'vitest'
import { copyJson } from '../json/copy.js'
import type { JournalEntry } from '../types/index.js'
import { applyEntry, type Records } from './record.js'

const opening = { task: { instruction: 'x' }, limits: {}, seed: 1, session: 's', manifestId: 'm', harnessId: 'h' }
const entryOf = (fields: string): JournalEntry =>
  JSON.parse(`{"path":"","ms":1,"opening":${JSON.stringify(opening)},${fields}}`)

test.each(['states', 'facts', 'artifacts'])(
  'a name "__proto__" in the %s of a journal is a name like others',
  (field) => {
    const runs: Records = {}
    applyEntry(runs, entryOf(`"${field}":{"__proto__":{"polluted":true}}`))

    expect(JSON.stringify(copyJson(runs))).toContain(`"${field}":{"__proto__":{"polluted":true}}`)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  },
)

test('a field that no entry has changes nothing', () => {
  const runs: Records = {}
  applyEntry(runs, entryOf('"__proto__":{"ms":5},"toString":1'))

  expect(runs['']?.ms).toBe(1)
})
