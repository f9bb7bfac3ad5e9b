import type { Message } from '@harnesswright/core'
import { identifiersIn, textOf } from '@harnesswright/seed-react/view'

/** What a summary is compared with. */
export interface Summarised {
  /** What every request begins with: the task, and what was given with it. */
  readonly head: readonly Message[]
  /** The steps that it stands for. */
  readonly steps: readonly Message[]
  /** What was carried over from before, a summary and its rests; empty at the first. */
  readonly former: string
  readonly summary: string
}

/** What became of the identifiers of the steps. */
export interface Survival {
  /** Sentences, said in the steps or carried over from before, with identifiers that were observed and that the summary lost. */
  readonly lost: readonly string[]
  /** Identifiers of the summary that stand nowhere in the steps, in what was carried over, nor in the task. */
  readonly unknown: readonly string[]
}

/**
 * Checks that identifiers and long numbers of observations survive a summary. Observations name many that are of no use: what
 * counts are those that the model itself took up, or that an earlier summary held.
 *
 * @param mostChars - Most characters of all sentences that are lost; the latest ones are kept.
 */
export function survivalOf({ head, steps, former, summary }: Summarised, mostChars: number): Survival {
  const said = steps.filter(({ role }) => role === 'assistant').map(textOf)
  const observed = new Set(
    [...steps.filter(({ role }) => role !== 'assistant').map(textOf), former].flatMap(identifiersIn),
  )
  const kept = new Set(identifiersIn(summary))
  const isLost = (identifier: string): boolean => observed.has(identifier) && !kept.has(identifier)
  const given = [...head.map(textOf), ...said]
  const anywhere = new Set([...observed, ...given.flatMap(identifiersIn), ...steps.flatMap(argumentsOf)])
  return {
    lost: latestOf(sentencesWith([former, ...said], isLost), mostChars),
    unknown: [...kept].filter((identifier) => !anywhere.has(identifier)),
  }
}

/** For each identifier that is lost, the last sentence that tells it. */
function sentencesWith(texts: readonly string[], isLost: (identifier: string) => boolean): readonly string[] {
  const told = new Map<string, string>()
  for (const sentence of texts.flatMap(sentencesOf)) {
    for (const identifier of identifiersIn(sentence).filter(isLost)) {
      told.delete(identifier) // so that it stands in the order of its last mention
      told.set(identifier, sentence)
    }
  }
  return [...new Set(told.values())]
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.;!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** The last sentences that fit, in their order. */
function latestOf(sentences: readonly string[], mostChars: number): readonly string[] {
  let left = mostChars
  const first = sentences.findLastIndex((sentence) => {
    left -= sentence.length + 1
    return left < 0
  })
  return sentences.slice(first + 1)
}

function argumentsOf({ toolCalls = [] }: Message): readonly string[] {
  return toolCalls.flatMap((call) => identifiersIn(call.arguments))
}
