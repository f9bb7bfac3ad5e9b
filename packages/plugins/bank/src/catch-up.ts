import type { BankIndex } from './index/bank-index.js'
import type { BankLog, LogBatch, LogPlace } from './log/bank-log.js'

/**
 * Reads the log from where the index stands. Another process may do the same: then one of them finds that it is done.
 *
 * @param guess - Where the index stood last: saves a question.
 * @returns Where it stands now.
 */
export async function catchUp(log: BankLog, index: BankIndex, guess?: LogPlace): Promise<LogPlace> {
  const { id: logId, size } = log.state()
  if (guess?.logId === logId && guess.position < size) {
    const position = await applyFrom(log, index, { logId, position: guess.position })
    if (position !== undefined) return { logId, position }
  }
  if ((await index.place())?.logId !== logId) await index.clear(logId)
  for (;;) {
    const place = (await index.place()) ?? { logId, position: 0 }
    if (place.position >= size) return place
    const position = await applyFrom(log, index, place)
    if (position !== undefined) return { logId, position }
  }
}

/** Applies what was just written behind a place, where it is known; else reads it. */
export async function takeUp(
  log: BankLog,
  index: BankIndex,
  { known, written }: { readonly known: LogPlace | undefined; readonly written: LogBatch | undefined },
): Promise<LogPlace> {
  if (known !== undefined && written !== undefined && (await index.apply(known.logId, written)))
    return { logId: known.logId, position: written.to }
  return await catchUp(log, index, known)
}

/** Applies batches until the end, and gives its place; undefined where another process was quicker. */
async function applyFrom(
  log: BankLog,
  index: BankIndex,
  { logId, position: from }: LogPlace,
): Promise<number | undefined> {
  let position = from
  for (const batch of log.batches(from)) {
    if (!(await index.apply(logId, batch))) return undefined
    position = batch.to
  }
  return position
}
