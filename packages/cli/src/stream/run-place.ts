import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabOutcome, LabRecord } from '@harnesswright/plugin-meta-agent'
import { cliError } from '../errors/cli-error.js'
import { makeDirectory } from '../make-directory.js'
import { claimRun } from '../run/claim-run.js'

/** A directory in which a stream or an evolution keeps its runs, so that it goes on where it was killed. */
export interface RunPlace {
  /** Runs of earlier processes. */
  readonly records: readonly LabRecord[]
  /** Folder for workspaces, which is removed by `close`. */
  readonly workspaces: string
  /** Writes a run at once. */
  keep(record: LabRecord): void
  /**
   * The value of a JSON file that was put there; undefined when there is none.
   *
   * @throws HarnessError `E_CLI_RESUME` when it is no JSON.
   */
  readJson(name: string): unknown
  /** Puts a file of results there, whole. */
  write(name: string, text: string): string
  close(): void
}

/** What the figures depend on: only with the same are they gone on with. */
export type PlaceSettings = Readonly<Record<string, unknown>>

/**
 * Opens a directory: a new one, or one that the same command has begun in. A last line that was cut short is left out, and its
 * run is made again.
 *
 * @param name - Of the file with the settings: `stream.json`.
 * @throws HarnessError `E_CLI_RESUME` when another process is at work there, or other settings were used; `E_CLI_FILE` when it
 * cannot be made.
 */
export function openRunPlace(directory: string, name: string, settings: PlaceSettings): RunPlace {
  makeDirectory(directory)
  const unclaim = claimRun(directory)
  const [runs, workspaces] = [join(directory, 'runs.jsonl'), join(directory, '.workspaces')]
  try {
    holdSettings(join(directory, name), settings, runs)
    rmSync(workspaces, { recursive: true, force: true })
    makeDirectory(workspaces)
    const records = readRuns(runs)
    replaceFile(runs, records.map(lineOf).join(''))
    return {
      records,
      workspaces,
      keep: (record) => appendFileSync(runs, lineOf(record)),
      readJson: (file) => readJsonFile(join(directory, file)),
      write(file, text) {
        replaceFile(join(directory, file), text)
        return join(directory, file)
      },
      close() {
        rmSync(workspaces, { recursive: true, force: true })
        unclaim()
      },
    }
  } catch (error) {
    unclaim()
    throw error
  }
}

/** Puts a text in the place of a file at once: whoever looks, and whenever, finds the old one or the new one, whole. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.next`, text)
  renameSync(`${path}.next`, path)
}

const lineOf = (record: LabRecord): string => `${JSON.stringify(record)}\n`

function holdSettings(file: string, settings: PlaceSettings, runs: string): void {
  if (!existsSync(file)) {
    if (existsSync(runs)) throw otherSettings(runs, `there are runs, and no ${file}`)
    replaceFile(file, `${JSON.stringify(settings, null, 2)}\n`)
    return
  }
  const before = parseObject(readFileSync(file, 'utf8')) ?? {}
  const now = parseObject(JSON.stringify(settings)) ?? {}
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
  if (differing.length > 0) throw otherSettings(file, `it differs in ${differing.join(', ')}`)
}

function readRuns(path: string): readonly LabRecord[] {
  if (!existsSync(path)) return []
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return whole.map((line, index) => {
    const record = parseObject(line)
    if (record !== undefined && isRecord(record)) return record
    throw cliError('E_CLI_RESUME', {
      message: `Line ${index + 1} is no run of this command.`,
      where: `${path}, line ${index + 1}`,
      expected: 'runs as they were written, one a line',
      fix: 'Remove the line, and its run is made again; or name another directory.',
    })
  })
}

function readJsonFile(path: string): unknown {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw cliError('E_CLI_RESUME', {
      message: 'The file is not as it was written: it is no JSON.',
      where: path,
      expected: 'the file as this command wrote it',
      fix: 'Put it back, or name another directory.',
      cause,
    })
  }
}

function isRecord(value: object): value is LabRecord {
  const { task, choice, seed, outcome } = value as Partial<LabRecord>
  if (typeof task !== 'string' || typeof choice !== 'string' || typeof seed !== 'number') return false
  return typeof outcome === 'object' && outcome !== null && isOutcome(outcome)
}

function isOutcome({
  reward,
  tokens,
  usd,
  ms,
  steps,
  manifestId,
  harnessId,
  end,
  route,
}: Partial<LabOutcome>): boolean {
  const areCounts = [reward, tokens, usd].every((one) => one === null || Number.isFinite(one))
  const areTexts = [manifestId, harnessId, end, route].every((one) => typeof one === 'string')
  return areCounts && areTexts && Number.isFinite(ms) && Number.isFinite(steps)
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

function otherSettings(where: string, found: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `Something else has begun in this directory: ${found}.`,
    where,
    expected: 'the same command, to go on with it, or a directory without one',
    fix: 'Name another directory with --out, or the options that it began with.',
  })
}
