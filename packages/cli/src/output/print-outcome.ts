import type { Io } from '../io.js'
import { cleanJson, cleanLine, cleanText } from '../text/clean.js'
import { formatCount, formatTime, formatUsd } from '../text/format.js'
import { answerText, type CheckReport, type Composing, type Outcome, stepsOf, toJsonObject } from './outcome.js'
import type { Screen } from './screen.js'
import { type Total, totalOf } from './total.js'

/** The answer alone, or the one object of `--json`, on standard output. */
export function printAnswer(outcome: Outcome, io: Pick<Io, 'stdout'>, isJson: boolean): void {
  if (isJson) io.stdout.write(`${cleanJson(toJsonObject(outcome))}\n`)
  else if (outcome.result.answer !== null) io.stdout.write(`${cleanText(answerText(outcome.result.answer))}\n`)
}

/** What the run came to and cost, and the verdict of the checker, for people. */
export function printSummary(outcome: Outcome, screen: Screen, elapsedMs: number): void {
  const { result, model, check, advice, composing } = outcome
  const { status, reason } = result
  const total = totalOf(outcome)
  const why = reason === undefined ? '' : ` (${cleanLine(reason)})`
  const isSimulated = model.simulated === true
  const time = isSimulated
    ? `${formatTime(total.ms)} simulated, ${formatTime(elapsedMs)} elapsed`
    : formatTime(total.ms)
  const kind = composing?.simulated === false ? 'in part simulated' : 'simulated'
  const cost = isSimulated && total.usd !== null ? `${formatUsd(total.usd)} ${kind}` : formatUsd(total.usd)
  const steps = `${countOf(stepsOf(outcome), 'step')}, ${countOf(total.modelCalls, 'model call')}`
  screen.progress(`${status}${why}: ${steps}, ${describeTokens(total)}, ${cost}, ${time}`)
  if (advice !== undefined) screen.line(`warning: ${cleanLine(advice, 500)}`)
  if (result.partial === true)
    screen.line('warning: the answer is the last text of the model, not one it gave as an answer')
  if (check !== undefined) printCheck(check, screen)
}

/** What composing by a model came to. */
export function printComposing({ model, modelCalls, ...spent }: Composing, screen: Screen): void {
  const { inputTokens, outputTokens, source } = spent.usage
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0)
  const described = describeTokens({ usage: spent.usage, tokens, partial: source === 'unknown' })
  const cost = spent.simulated && spent.usd !== null ? `${formatUsd(spent.usd)} simulated` : formatUsd(spent.usd)
  const calls = countOf(modelCalls, 'model call')
  screen.progress(`composed by ${cleanLine(model)}: ${calls}, ${described}, ${cost}, ${formatTime(spent.ms)}`)
}

/** `1 step`, `2 steps`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** The tokens of a sum, with how many came in, were cached and went out. */
export function describeTokens({ usage, tokens, partial }: Pick<Total, 'usage' | 'tokens' | 'partial'>): string {
  const { inputTokens, cachedTokens, outputTokens } = usage
  const known = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))
  if (inputTokens === null && outputTokens === null) return 'tokens unknown'
  const parts = `${known(inputTokens)} in, ${known(cachedTokens)} of them cached, ${known(outputTokens)} out`
  return `${formatCount(tokens)} tokens (${parts}${partial ? '; at least' : ''})`
}

/** The verdict as a line of its own, then what is right and what is not. */
function printCheck({ passed, detail }: CheckReport, screen: Screen): void {
  screen.line(passed ? screen.paint.green('check: passed') : screen.paint.red('check: failed'))
  for (const line of cleanText(detail)
    .split('\n')
    .filter((text) => text.trim() !== ''))
    screen.line(`  ${line}`)
}
