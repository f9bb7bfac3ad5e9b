import { formatInterval } from '@harnesswright/plugin-bank/statistics'
import type { Comparison } from '../lab/compare.js'
import type { Judged } from './candidate.js'
import type { EvolveReport, EvolveRow } from './evolve.js'

/** Headings of {@link evolveRows}. */
export const EVOLVE_HEADINGS = ['arm', 'seen', 'unseen', 'USD', 'difference on unseen', 'verdict'] as const

/** The arms of an evolution as rows of texts: seen and unseen side by side. */
export function evolveRows({ parent, evolved, controls }: EvolveReport): readonly (readonly string[])[] {
  const { noOp, random, repeated } = controls
  return [
    rowOf('parent', parent),
    rowOf('evolved', evolved),
    rowOf('control: the parent again', noOp),
    rowOf('control: random', random),
    rowOf('control: best of several', repeated),
  ]
}

function rowOf(kind: string, { name, seen, unseen, usd, comparison }: EvolveRow): readonly string[] {
  return [
    `${kind} (${name})`,
    seen === null ? '' : seen.toFixed(3),
    unseen === null ? 'unknown' : unseen.toFixed(3),
    usd === null ? 'unknown' : usd.toFixed(4),
    comparison === undefined ? '' : formatInterval(comparison.reward),
    comparison === undefined ? '' : comparison.verdict,
  ]
}

/** What is to be known beside the rows. */
export function evolveNotes({ evolved, controls, foresight, search, judged }: EvolveReport): readonly string[] {
  const { samples, matched } = controls.repeated
  return [
    `search: ${judged.length} proposals, ${search.runs} runs, ${usdText(search.usd)}; the random control: ${search.randomRuns} runs, ${usdText(search.randomUsd)}`,
    evolved.comparison === undefined ? '' : detectableLine(evolved.comparison),
    `best of ${samples}: ${matched === null ? 'what the search would have paid for is unknown' : `the search would have paid for ${matched} runs of each task`}; its checker knows the answers, so that it is no harness`,
    foresightLine(foresight),
  ].filter((line) => line !== '')
}

/** The verdict of a comparison, and the differences of rewards and of USD that it rests on. */
export function comparisonLine({ verdict, reward, usd }: Comparison): string {
  const cost =
    usd.kind === 'interval'
      ? `${usd.mean.toFixed(5)} [${usd.lower.toFixed(5)}, ${usd.upper.toFixed(5)}]`
      : formatInterval(usd)
  return `${verdict}; reward ${formatInterval(reward)}; USD a task ${cost}`
}

/** What a comparison could have shown. */
export function detectableLine({ detectable, units }: Comparison): string {
  return detectable === null
    ? `minimum detectable effect: unknown, as all ${units} units are alike or too few`
    : `minimum detectable effect: ${detectable.toFixed(3)} of reward, shown nine times out of ten with ${units} units like these`
}

function foresightLine({ proposals, error, errorOfNoChange, rightSign }: EvolveReport['foresight']): string {
  const digits = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(3))
  const sign =
    rightSign === null ? 'no direction was predicted' : `direction right in ${(100 * rightSign).toFixed(0)} %`
  return `predictions of ${proposals} proposals: mean error ${digits(error)} of reward, ${digits(errorOfNoChange)} had no change been predicted; ${sign}`
}

/** A proposal, what was predicted of it and what came of it, in a line. */
export function judgedLine({ name, change, verdict, tasks, prediction, outcome }: Judged): string {
  const came = outcome.reward === null ? 'unknown' : signed(outcome.reward)
  const cost = outcome.logUsd === null ? '' : `, cost times ${Math.exp(outcome.logUsd).toFixed(2)}`
  return `${name}: ${change}: predicted ${signed(prediction.reward)}, came ${came}${cost} on ${tasks} ${tasks === 1 ? 'task' : 'tasks'}: ${verdict}`
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`
}

function usdText(usd: number | null): string {
  return usd === null ? 'unknown cost' : `${usd.toFixed(4)} USD`
}
