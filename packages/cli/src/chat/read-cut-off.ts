import type { Harness, RunResult, Task } from '@harnesswright/core'
import { readJournal } from '@harnesswright/core/node'
import type { Turn } from './chat-store.js'

/**
 * What became of a turn whose process was killed, from its journal: nothing is done and no model is asked. undefined where it had
 * not begun.
 *
 * @throws HarnessError `E_RUN_JOURNAL` when the journal is none, `E_RUN_SNAPSHOT` when it is of another harness.
 */
export async function readCutOff(
  file: string,
  harness: Harness,
): Promise<{ readonly task: Task; readonly result: RunResult } | undefined> {
  const snapshot = await readJournal(file)
  const { opening, end } = snapshot.runs[''] ?? {}
  if (opening === undefined) return undefined
  // A run that is over gives its result; any other would go on.
  const isOver = end !== undefined && end.error === undefined
  const run = await harness.resume(snapshot, isOver ? {} : { signal: AbortSignal.abort('its process ended') })
  return { task: opening.task, result: await run.result }
}

/** Stands for a turn of which nothing can be read. */
export const UNREADABLE: Turn = {
  instruction: '',
  status: 'failed',
  messages: [],
  steps: 0,
  total: {
    modelCalls: 0,
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, source: 'known' },
    tokens: 0,
    partial: false,
    usd: 0,
    ms: 0,
  },
}
