import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { bankError } from '../errors.js'
import { type Entry, LOG_VERSION } from './entry.js'
import { parseLine } from './parse-line.js'
import { readLines } from './read-lines.js'

/** Name of the log in the directory of a bank. */
export const LOG_FILE = 'log.jsonl'

/** A line of the log that is an entry. */
export interface LoggedEntry {
  readonly entry: Entry
  /** Where it stands, in bytes. */
  readonly position: number
  readonly bytes: number
}

/** A line that is no entry. It stays where it is, and is left out. */
export interface SetAside {
  readonly position: number
  readonly bytes: number
  readonly reason: string
}

/** A place in a log, in bytes: how far it is known. */
export interface LogPlace {
  readonly logId: string
  readonly position: number
}

/** Some lines of the log, in their order. */
export interface LogBatch {
  readonly from: number
  /** Where the next line begins. */
  readonly to: number
  readonly entries: readonly LoggedEntry[]
  readonly setAside: readonly SetAside[]
}

/**
 * The log of a bank: lines of JSON that are only ever appended, and the one place where nothing may be lost. Several processes
 * may append at once: each append is one write at the end of the file, and begins with a newline of its own.
 */
export class BankLog {
  readonly path: string

  /**
   * @param directory - Made where it is not there.
   * @param newId - Gives the id of a new log.
   * @throws HarnessError `E_BANK_OPEN` when it cannot be made or read.
   */
  constructor(directory: string, newId: () => string) {
    this.path = join(directory, LOG_FILE)
    try {
      mkdirSync(directory, { recursive: true })
      if (!existsSync(this.path)) createLog(this.path, newId())
      this.#withFile('r', () => undefined)
    } catch (cause) {
      throw cannotOpen(directory, cause)
    }
  }

  /** Identity of the log: another one after it was pruned. */
  id(): string {
    return this.state().id
  }

  /** Identity of the log, and its length in bytes. */
  state(): { readonly id: string; readonly size: number } {
    return this.#withFile('r', (file) => this.#stateOf(file))
  }

  #stateOf(file: number): ReturnType<BankLog['state']> {
    return { id: this.#idIn(file), size: fstatSync(file).size }
  }

  #idIn(file: number): string {
    const [line = ''] = readText(file, { position: 0, bytes: MOST_HEADER }).split('\n', 1)
    const parsed = parseLine(line)
    if (parsed.kind === 'header') return parsed.id
    if (parsed.kind === 'newer') throw newer(this.path, parsed.version)
    throw bankError('E_BANK_OPEN', {
      message: 'The file is no log of a bank.',
      where: this.path,
      expected: 'a first line that says which bank it is',
      fix: 'Name another directory with --bank, or put the first line back from a copy.',
    })
  }

  /**
   * Appends entries, all in one write.
   *
   * @param known - Up to where the log is known.
   * @returns What stands behind that place, where it is these entries alone; undefined where the log has to be read.
   * @throws HarnessError `E_BANK_FULL` when there is no room, `E_BANK_WRITE` when it cannot be written for another reason. Of
   *   what was written before that, whole lines count; appending the same entries again does no harm.
   */
  append(entries: readonly Entry[], known?: LogPlace): LogBatch | undefined {
    if (entries.length === 0) return undefined
    const lines = entries.map((entry) => Buffer.from(`${JSON.stringify(entry)}\n`))
    const written = Buffer.concat([NEWLINE, ...lines])
    const { id, size } = this.#write(written)
    // A log only grows: when it grew by this much, nobody else has written.
    if (id !== known?.logId || size !== known.position + written.length) return undefined
    return batchOf(entries, lines, known.position)
  }

  /** Writes at the end; gives the log as it is then. */
  #write(bytes: Buffer): ReturnType<BankLog['state']> {
    try {
      return this.#withFile('a+', (file) => {
        writeWhole(file, bytes)
        return this.#stateOf(file)
      })
    } catch (cause) {
      throw isHarnessError(cause) ? cause : cannotWrite(this.path, cause)
    }
  }

  /**
   * The lines from a place on, in batches of so many.
   *
   * @throws HarnessError `E_BANK_NEWER` at a line that a newer program wrote.
   */
  *batches(from: number, size = 5_000): Generator<LogBatch> {
    yield* batchesOf(this.path, from, size)
  }

  /**
   * Puts a log of the entries that are kept in the place of this one, and leaves this one beside it. What others append to the
   * old one until the new one is there is taken over.
   *
   * @returns Where the old log is.
   * @throws HarnessError `E_BANK_FULL` and `E_BANK_WRITE`: then everything is as it was.
   */
  replace(keeps: (logged: LoggedEntry) => boolean, newId: string): string {
    const draft = `${this.path}.${newId}`
    const old = join(dirname(this.path), `log-${this.id().slice(0, 8)}.jsonl`)
    try {
      writeFileSync(draft, headerOf(newId))
      const end = this.#withFile('a', (file) => copyKept(this.batches(0), { keeps, file }), draft)
      linkSync(this.path, old)
      renameSync(draft, this.path)
      this.append(entriesAfter(old, end))
      return old
    } catch (cause) {
      rmSync(draft, { force: true })
      throw isHarnessError(cause) ? cause : cannotWrite(this.path, cause)
    }
  }

  /** The entry that stands at a place. */
  at({ position, bytes }: { readonly position: number; readonly bytes: number }): Entry {
    const text = this.#withFile('r', (file) => readText(file, { position, bytes }))
    const parsed = parseLine(text)
    if (parsed.kind === 'entry') return parsed.entry
    throw bankError('E_BANK_INDEX', {
      message: `The index names a line at byte ${position} that is no entry.`,
      where: this.path,
      expected: 'an index of this log',
      fix: 'Run "harnesswright bank rebuild".',
    })
  }

  #withFile<T>(flags: 'r' | 'a' | 'a+', use: (file: number) => T, path = this.path): T {
    const file = openSync(path, flags)
    try {
      return use(file)
    } finally {
      closeSync(file)
    }
  }
}

/** The lines of a log from a place on, in batches of so many. */
function* batchesOf(path: string, from: number, size: number): Generator<LogBatch> {
  const file = openSync(path, 'r')
  try {
    let batch = emptyBatch(from)
    for (const { text, start, end } of readLines(file, from)) {
      const parsed = parseLine(text)
      const place = { position: start, bytes: end - start }
      if (parsed.kind === 'newer') throw newer(path, parsed.version)
      if (parsed.kind === 'entry') batch.entries.push({ entry: parsed.entry, ...place })
      if (parsed.kind === 'broken') batch.setAside.push({ ...place, reason: parsed.reason })
      batch.to = end
      if (batch.entries.length < size) continue
      yield batch
      batch = emptyBatch(end)
    }
    if (batch.to > batch.from) yield batch
  } finally {
    closeSync(file)
  }
}

/** Writes the entries that are kept; gives the place up to which the log was read. */
function copyKept(
  batches: Iterable<LogBatch>,
  { keeps, file }: { readonly keeps: (logged: LoggedEntry) => boolean; readonly file: number },
): number {
  let end = 0
  for (const { entries, to } of batches) {
    const kept = entries.filter(keeps).map(({ entry }) => `${JSON.stringify(entry)}\n`)
    writeWhole(file, Buffer.from(kept.join('')))
    end = to
  }
  return end
}

/** What was appended to a log after a place. */
function entriesAfter(path: string, from: number): readonly Entry[] {
  return [...batchesOf(path, from, 5_000)].flatMap(({ entries }) => entries.map(({ entry }) => entry))
}

/** Entries that were written after a place, each as a line, behind a newline. */
function batchOf(entries: readonly Entry[], lines: readonly Buffer[], from: number): LogBatch {
  const batch = emptyBatch(from)
  batch.to += NEWLINE.length
  for (const [index, entry] of entries.entries()) {
    const bytes = (lines[index] as Buffer).length
    batch.entries.push({ entry, position: batch.to, bytes })
    batch.to += bytes
  }
  return batch
}

/** Each append begins with one, so that it cannot be swallowed by what a killed process left. */
const NEWLINE = Buffer.from('\n')

/** A batch while it is read. */
function emptyBatch(from: number): { from: number; to: number; entries: LoggedEntry[]; setAside: SetAside[] } {
  return { from, to: from, entries: [], setAside: [] }
}

/** Text of a piece of a file; shorter where the file ends. */
function readText(file: number, { position, bytes }: { readonly position: number; readonly bytes: number }): string {
  const buffer = Buffer.allocUnsafe(bytes)
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, position))
}

/** Longest first line of a log, in bytes. */
const MOST_HEADER = 1_024

/** The first line of a log. */
function headerOf(id: string): string {
  return `${JSON.stringify({ v: LOG_VERSION, kind: 'bank', id })}\n`
}

/** Makes a log with its first line, once: of two processes that begin together one wins, and both use the same. */
function createLog(path: string, id: string): void {
  const draft = `${path}.${id}`
  writeFileSync(draft, headerOf(id))
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Writes all of it, at once. A write that was cut short is made anew as a whole: what it left is a line that is set aside. */
function writeWhole(file: number, bytes: Buffer): void {
  if (writeSync(file, bytes) < bytes.length && writeSync(file, bytes) < bytes.length)
    throw Object.assign(new Error('the file takes no more'), { code: 'ENOSPC' })
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function cannotWrite(path: string, cause: unknown): Error {
  const isFull = FULL.has(codeOf(cause))
  return bankError(isFull ? 'E_BANK_FULL' : 'E_BANK_WRITE', {
    message: isFull
      ? 'There is no room for what the bank has to remember. What was there before is whole.'
      : `The log of the bank cannot be written: ${messageOf(cause)}. What was there before is whole.`,
    where: path,
    expected: isFull ? 'room on the disk, and no limit of file sizes' : 'a file that may be appended to',
    fix: isFull
      ? 'Make room, or run "harnesswright bank prune"; then do again what was not remembered.'
      : 'Give the right to write it, or name another directory with --bank; then do it again.',
    cause,
  })
}

function cannotOpen(directory: string, cause: unknown): Error {
  return bankError('E_BANK_OPEN', {
    message: `The bank cannot be opened: ${messageOf(cause)}.`,
    where: directory,
    expected: 'a directory that can be read and written',
    fix: 'Name another directory with --bank, or give the right to write this one.',
    cause,
  })
}

function newer(path: string, version: number): Error {
  return bankError('E_BANK_NEWER', {
    message: `A newer program has written to this bank: it holds entries of version ${version}. Nothing was changed.`,
    where: path,
    expected: `entries of version ${LOG_VERSION}, or older ones`,
    fix: 'Update: npm install harnesswright@latest; or name another directory with --bank.',
    details: { version },
  })
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | null)?.code)
}
