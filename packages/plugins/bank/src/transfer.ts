import { closeSync, openSync } from 'node:fs'
import { messageOf } from '@harnesswright/core/manifest'
import { bankError } from './errors.js'
import type { BankIndex } from './index/bank-index.js'
import type { BankLog } from './log/bank-log.js'
import type { Entry, EntryKind, HolderEntry } from './log/entry.js'
import { parseLine } from './log/parse-line.js'
import { readLines } from './log/read-lines.js'

/** Entries that are looked up together. */
const BATCH = 500

/** Every entry of a log as a line of JSON, without what was set aside. */
export function* exportedLines(log: BankLog): Generator<string> {
  for (const { entries } of log.batches(0)) for (const { entry } of entries) yield `${JSON.stringify(entry)}\n`
}

/** The entries of a file, in batches. */
export function* fileEntries(path: string): Generator<readonly Entry[]> {
  let batch: Entry[] = []
  for (const entry of entriesOf(path)) {
    batch.push(entry)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Checks every line of a file.
 *
 * @throws HarnessError `E_BANK_IMPORT` for the first one that is no entry, or when the file cannot be read.
 */
export function checkFile(path: string): void {
  for (const _ of entriesOf(path));
}

function* entriesOf(path: string): Generator<Entry> {
  const file = openFile(path)
  try {
    let number = 0
    for (const { text } of readLines(file, 0, true)) {
      number += 1
      const parsed = parseLine(text)
      if (parsed.kind === 'entry') yield parsed.entry
      else if (parsed.kind === 'broken' || parsed.kind === 'newer')
        throw badLine(
          path,
          number,
          parsed.kind === 'broken' ? parsed.reason : `a newer program wrote it (${parsed.version})`,
        )
    }
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw bankError('E_BANK_IMPORT', {
      message: `The file cannot be read: ${messageOf(cause)}.`,
      where: path,
      expected: 'a file as "harnesswright bank export" writes it',
      fix: 'Name another file.',
      cause,
    })
  }
}

/** Those of a batch that are not there yet, or are newer than what is there. */
export async function unknownOf(index: BankIndex, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const kinds = [...new Set(entries.map(({ kind }) => kind))]
  const known = new Map<EntryKind, ReadonlyMap<string, number>>()
  for (const kind of kinds)
    known.set(
      kind,
      await index.known(
        kind,
        entries.filter((entry) => entry.kind === kind).map(({ id }) => id),
      ),
    )
  const holders = await index.holders()
  const heldSince = (entry: HolderEntry): number | undefined =>
    holders.find(
      ({ role, clusterId, backbone, priceTable, protocol }) =>
        role === entry.kind &&
        clusterId === entry.clusterId &&
        backbone === entry.backbone &&
        priceTable === entry.priceTable &&
        protocol === entry.protocol,
    )?.since
  return entries.filter((entry) => {
    if (entry.kind === 'champion' || entry.kind === 'anchor') return (heldSince(entry) ?? -Infinity) < entry.at
    const at = known.get(entry.kind)?.get(entry.id)
    if (at === undefined) return true
    return (entry.kind === 'harness' || entry.kind === 'cluster') && at < entry.at
  })
}

function badLine(path: string, line: number, reason: string): Error {
  return bankError('E_BANK_IMPORT', {
    message: `Line ${line} is no entry of a bank: ${reason}. Nothing was taken.`,
    where: `${path}, line ${line}`,
    expected: 'lines as "harnesswright bank export" writes them',
    fix: 'Remove or mend the line, and import the file again.',
  })
}
