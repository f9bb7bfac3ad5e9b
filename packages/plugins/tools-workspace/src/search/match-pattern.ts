import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { quote, workspaceError } from '../errors.js'
import type { LineMatch } from './match-literal.js'
import { PATTERN_SOURCE } from './pattern-source.js'

/** A regular expression and where to look for it. */
export interface PatternSearch {
  readonly pattern: string
  readonly texts: readonly string[]
  readonly maxMatches: number
  /** Time for compiling and matching, without the start of the worker, in ms. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

interface Reply {
  readonly fault?: string
  readonly matches?: readonly LineMatch[]
}

/**
 * Finds the lines that match, in a worker that is killed when its time is up or the signal is aborted: a regular
 * expression can take longer than anyone waits, and nothing else can stop it.
 *
 * Rejects with `E_WORKSPACE_PATTERN`, or with the signal's reason.
 */
export async function matchPattern(search: PatternSearch): Promise<readonly LineMatch[]> {
  search.signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = () => stop.abort(search.signal.reason)
  search.signal.addEventListener('abort', onAbort, { once: true })
  const worker = startWorker()
  worker.on('error', (error) => stop.abort(patternError(search, `could not be run (${messageOf(error)})`)))
  worker.on('exit', () => stop.abort(patternError(search, 'could not be run to its end')))
  const { fault, matches = [] } = await askWorker(worker, search, stop)
    .catch((error: unknown) => {
      throw stop.signal.aborted ? stop.signal.reason : error
    })
    .finally(async () => {
      search.signal.removeEventListener('abort', onAbort)
      await worker.terminate()
    })
  // The worker may have ended by itself by now: what it said holds.
  if (fault !== undefined) throw patternError(search, `is not valid: ${fault}`)
  return matches
}

function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 512 }
  return new Worker(PATTERN_SOURCE, { eval: true, env: {}, argv: [], execArgv: [], resourceLimits })
}

async function askWorker(worker: Worker, search: PatternSearch, stop: AbortController): Promise<Reply> {
  await once(worker, 'message', { signal: stop.signal })
  const { timeoutMs } = search
  const timeUp = () =>
    stop.abort(
      patternError(search, `took more than ${timeoutMs} ms and was stopped. Simplify it, or search for plain text`),
    )
  const timer = setTimeout(timeUp, timeoutMs)
  try {
    worker.postMessage(toRequest(search))
    const [reply] = (await once(worker, 'message', { signal: stop.signal })) as [Reply]
    return reply
  } finally {
    clearTimeout(timer)
  }
}

// `(?i)` at the beginning is how most languages write the flag; JavaScript knows it only as a flag.
function toRequest({ pattern, texts, maxMatches }: PatternSearch) {
  const ignoresCase = pattern.startsWith('(?i)')
  return { source: ignoresCase ? pattern.slice(4) : pattern, flags: ignoresCase ? 'i' : '', texts, maxMatches }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function patternError({ pattern }: PatternSearch, what: string): Error {
  return workspaceError('E_WORKSPACE_PATTERN', `The pattern ${quote(pattern)} ${what}.`)
}
