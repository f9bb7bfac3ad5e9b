import type { LlamaContextSequence, LlamaGrammarEvaluationState, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import { penaltyOn, type Sampling } from './sampling.js'
import { createStopWatch } from './stop-watch.js'
import { createTextReader } from './text-reader.js'

/** Tokens of a request that are read between two looks at the signal. */
const READ_AT_ONCE = 64

/** One reply to be made. */
export interface Job {
  readonly tokens: readonly Token[]
  readonly grammar: LlamaGrammarEvaluationState | undefined
  readonly sampling: Required<Sampling>
  readonly seed: number
  /** Most tokens of the reply, its end token among them. */
  readonly maxTokens: number
  readonly stops: readonly string[]
  readonly signal: AbortSignal
  /** Told each piece of the text. */
  readonly onText: (text: string) => void
  /** Told when the request is read, and the reply begins. */
  readonly onRead?: () => void
}

/** What a job used, and whether it ended by itself. */
export interface Completion {
  readonly isCut: boolean
  readonly outputTokens: number
  /** Tokens of the request that were read for an earlier one. */
  readonly cachedTokens: number
}

/**
 * Makes one reply. What the request has in common with the one before is not read again.
 *
 * @throws The reason of the signal, at the next token at the latest.
 */
export async function complete(sequence: LlamaContextSequence, job: Job): Promise<Completion> {
  const { tokens, signal, onText } = job
  const head = tokens.slice(0, -1)
  signal.throwIfAborted()
  await sequence.adaptStateToTokens([...head], false)
  const cachedTokens = Math.min(sequence.nextTokenIndex, head.length)
  for (let at = cachedTokens; at < head.length; at += READ_AT_ONCE) {
    signal.throwIfAborted()
    await sequence.evaluateWithoutGeneratingNewTokens(head.slice(at, at + READ_AT_ONCE))
  }
  job.onRead?.()
  const text = createTextReader(sequence.model)
  const watch = createStopWatch(job.stops)
  const said: Token[] = []
  let isCut = true
  for await (const token of sequence.evaluate([...tokens.slice(-1)], optionsOf(job, said))) {
    signal.throwIfAborted()
    said.push(token)
    const isEnd = sequence.model.isEogToken(token)
    if (!isEnd) onText(watch.push(text.push(token)))
    if (isEnd || watch.isStopped) isCut = false
    if (!isCut || said.length >= job.maxTokens) break
  }
  if (!watch.isStopped) onText(watch.push(text.end()) + watch.end())
  return { isCut, outputTokens: said.length, cachedTokens }
}

function optionsOf({ sampling, seed, grammar }: Job, said: readonly Token[]): SequenceEvaluateOptions {
  const { repeatPenalty, ...drawing } = sampling
  return {
    ...drawing,
    seed: seed >>> 0, // what llama.cpp takes
    yieldEogToken: true,
    ...penaltyOn(said, repeatPenalty),
    ...(grammar === undefined ? {} : { grammarEvaluationState: grammar }),
  }
}
