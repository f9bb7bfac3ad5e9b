import { bankError } from './errors.js'
import type { HarnessRow } from './index/bank-index.js'

/**
 * The harness whose id begins so, or whose name it is.
 *
 * @throws HarnessError `E_BANK_UNKNOWN` when there is none, or more than one.
 */
export function findHarness(wanted: string, rows: readonly HarnessRow[]): HarnessRow {
  const bare = wanted.replace(/^sha256:/, '')
  const found = rows.filter(
    ({ id, name }) => name === wanted || (bare.length >= 4 && id.replace(/^sha256:/, '').startsWith(bare)),
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw bankError('E_BANK_UNKNOWN', {
    message:
      found.length === 0
        ? `The bank has no harness ${JSON.stringify(wanted)}.`
        : `${JSON.stringify(wanted)} stands for ${found.length} harnesses: ${found
            .slice(0, 3)
            .map(({ id, name }) => `${id.slice(0, 23)} (${name})`)
            .join(', ')}.`,
    where: wanted,
    expected: 'the id of a harness, four characters or more of its beginning, or its name',
    fix: 'Run "harnesswright bank ls", and take an id from there.',
  })
}
