import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** What `scripts/kill-runs.mjs` found. */
interface Figures {
  readonly kills: number
  readonly runs: number
  readonly twice: number
  readonly faults: readonly string[]
  readonly answer: string
}

test.skipIf(process.platform === 'win32')(
  'a run that is killed at any moment goes on: no call is made twice, one is told as unknown only if it was under way, and the answer is the same',
  { timeout: 120_000 },
  async () => {
    const args = ['scripts/kill-runs.mjs', '--source', '--kills', '8', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((failed) => failed)
    const { kills, runs, twice, faults, answer } = JSON.parse(stdout) as Figures

    expect(faults).toEqual([])
    expect([kills >= 8, runs > 1, twice]).toEqual([true, true, 0])
    expect(answer).toBe('seen 26, recorded 20')
  },
)
