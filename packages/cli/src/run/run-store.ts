import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HarnessEvent } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { makeDirectory } from '../make-directory.js'
import { isClaimed } from './claim-run.js'
import { hideSecrets } from './secrets.js'

const KEPT = 200

/** Name of the snapshot in the directory of a run. */
export const SNAPSHOT = 'snapshot.json'
/** Name of the record of the composition in the directory of a run whose harness was composed. */
export const COMPOSITION = 'composition.json'
/** Name of the journal in the directory of a run. */
export const JOURNAL = 'journal.jsonl'

/** Names of run directories, legal on every system and in order of time. */
const RUN_ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/

/** Whether a name is that of a run. */
export function isRunId(name: string): boolean {
  return RUN_ID.test(name)
}

/** The directory of one run. */
export interface RunDirectory {
  readonly id: string
  readonly path: string
  /** It is in the directory of runs, where nobody but this user writes. */
  readonly isOurs: boolean
}

/**
 * Makes the directory of a new run, and removes all but the newest 200 and those that are under way.
 *
 * @param home - The directory of `HARNESSWRIGHT_HOME`.
 * @param nowMs - Time of the computer's clock in ms.
 */
export async function createRunDirectory(home: string, nowMs: number): Promise<RunDirectory> {
  const runs = join(home, 'runs')
  const time = new Date(nowMs).toISOString().replace(/[-:.]/g, '')
  const id = `${time}-${randomBytes(4).toString('hex')}`
  const path = join(runs, id)
  makeDirectory(path, 0o700)
  await removeOldRuns(runs)
  return { id, path, isOurs: true }
}

/** Removes the oldest runs that are not under way. Whatever is not named as a run is left alone. */
async function removeOldRuns(runs: string): Promise<void> {
  const entries = await readdir(runs, { withFileTypes: true })
  const ids = entries.filter((entry) => entry.isDirectory() && isRunId(entry.name)).map(({ name }) => name)
  const old = ids
    .sort()
    .slice(0, -KEPT)
    .filter((id) => !isClaimed(join(runs, id)))
  // Another process may remove the same ones.
  await Promise.all(old.map((id) => rm(join(runs, id), { recursive: true, force: true }).catch(() => undefined)))
}

/** Writes a value to a file as JSON, without the secrets. */
export async function writeRecord(path: string, value: unknown, secrets: readonly string[]): Promise<void> {
  await writeFile(path, hideSecrets(`${JSON.stringify(value, null, 2)}\n`, secrets))
}

/** A file of events, one JSON text a line. */
export interface TraceFile {
  readonly path: string
  write(event: HarnessEvent): void
  close(): void
}

/**
 * Opens a trace for writing, without the secrets. Each event is in the file before the next one happens, whatever becomes of the process.
 *
 * @param flag - `a` for the trace of a run that goes on. Default `w`.
 * @throws HarnessError `E_CLI_FILE` when the file cannot be written.
 */
export function openTrace(path: string, secrets: readonly string[], flag: 'w' | 'a' = 'w'): TraceFile {
  let file: number
  try {
    file = openSync(path, flag)
  } catch (cause) {
    throw cliError('E_CLI_FILE', {
      message: `The trace cannot be written to ${path} (${(cause as { code?: unknown }).code}).`,
      where: '--trace',
      expected: 'a file in a directory that exists',
      fix: 'Name another file.',
      cause,
    })
  }
  return {
    path,
    write: (event) => void writeSync(file, `${hideSecrets(JSON.stringify(event), secrets)}\n`),
    close: () => closeSync(file),
  }
}
