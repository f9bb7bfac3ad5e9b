import { open, readFile } from 'node:fs/promises'
import {
  applyEntry,
  HarnessError,
  type Journal,
  type JournalEntry,
  messageOf,
  type Records,
  type Snapshot,
} from '@harnesswright/protocol'
import { packEntry, unpackEntry } from './pack-entry.js'

/** How a journal is written. */
export interface FileJournalOptions {
  /** Wait for the disk at each entry, for a machine that may lose power. A killed process loses nothing without. Default false. */
  readonly sync?: boolean
}

/** A journal in a file: JSON lines, each one thing that was made durable. */
export interface FileJournal extends Journal {
  /** Waits for what is being written, and closes the file. */
  close(): Promise<void>
}

/**
 * Opens a journal, to begin a run or to go on with one: a last line that a crash has torn is cut off.
 *
 * @throws HarnessError `E_RUN_JOURNAL` when the file cannot be opened.
 */
export async function createFileJournal(path: string, { sync = false }: FileJournalOptions = {}): Promise<FileJournal> {
  const file = await open(path, 'a+').catch((cause) => {
    throw new HarnessError('E_RUN_JOURNAL', { message: `The journal cannot be opened: ${messageOf(cause)}`, cause })
  })
  const { whole } = splitTorn(await file.readFile())
  await file.truncate(whole)
  let last: Promise<void> = Promise.resolve()
  return {
    append(entry) {
      const line = `${JSON.stringify(packEntry(entry))}\n`
      const written = last.then(async () => {
        await file.appendFile(line)
        if (sync) await file.datasync()
      })
      last = written // what follows one that failed fails too: a journal has no gaps
      return written
    },
    async close() {
      await last.catch(() => {})
      await file.close()
    },
  }
}

const PATH = /^$|^\d+\.[\w-]+(\/\d+\.[\w-]+)*$/
/** Model calls of one step, at most. */
const MOST_CALLS = 10_000

/**
 * The snapshot that a journal folds to. A last line that a crash has torn is left out.
 *
 * @throws HarnessError `E_RUN_JOURNAL` when the file cannot be read, or a line is no entry.
 */
export async function readJournal(path: string): Promise<Snapshot> {
  const refuse = (message: string, cause?: unknown): never => {
    throw new HarnessError('E_RUN_JOURNAL', {
      message: `${message} (${path})`,
      cause,
      hint: 'Give the journal of a run.',
    })
  }
  const bytes = await readFile(path).catch((cause) => refuse(`The journal cannot be read: ${messageOf(cause)}`, cause))
  const { text } = splitTorn(bytes)
  const runs: Records = {}
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    try {
      const entry = JSON.parse(line) as JournalEntry
      // A file can hold anything: a path is a key, and a place makes a list so long.
      if (!PATH.test(entry.path) || !((entry.call?.place ?? 0) < MOST_CALLS))
        throw new Error('a path or a place is none')
      applyEntry(runs, unpackEntry(entry))
    } catch (cause) {
      refuse(`Line ${index + 1} of the journal is no entry: ${messageOf(cause)}`, cause)
    }
  }
  return { version: 1, runs }
}

/** The lines that are whole, and where they end. */
function splitTorn(bytes: Buffer): { readonly text: string; readonly whole: number } {
  const whole = bytes.lastIndexOf(0x0a) + 1
  return { text: bytes.subarray(0, whole).toString('utf8'), whole }
}
