import type { Io } from '../io.js'
import { cleanJson, cleanLine, cleanText } from '../text/clean.js'
import { formatCount, formatTime, formatUsd } from '../text/format.js'
import { answerText, type CheckReport, type Outcome, toJsonObject } from './outcome.js'
import type { Screen } from './screen.js'

/** The answer alone, or the one object of `--json`, on standard output. */
export function printAnswer(outcome: Outcome, io: Pick<Io, 'stdout'>, isJson: boolean): void {
  if (isJson) io.stdout.write(`${cleanJson(toJsonObject(outcome))}\n`)
  else if (outcome.result.answer !== null) io.stdout.write(`${cleanText(answerText(outcome.result.answer))}\n`)
}

/** What the run came to and cost, and the verdict of the checker, for people. */
export function printSummary(outcome: Outcome, screen: Screen, elapsedMs: number): void {
  const { result, model, check, advice } = outcome
  const { spent, status, reason } = result
  const why = reason === undefined ? '' : ` (${cleanLine(reason)})`
  const isSimulated = model.simulated === true
  const time = isSimulated
    ? `${formatTime(result.ms)} simulated, ${formatTime(elapsedMs)} elapsed`
    : formatTime(result.ms)
  const cost = isSimulated && spent.usd !== null ? `${formatUsd(spent.usd)} simulated` : formatUsd(spent.usd)
  const steps = `${spent.steps} ${spent.steps === 1 ? 'step' : 'steps'}, ${spent.modelCalls} model ${spent.modelCalls === 1 ? 'call' : 'calls'}`
  screen.progress(`${status}${why}: ${steps}, ${describeTokens(outcome)}, ${cost}, ${time}`)
  if (advice !== undefined) screen.line(`warning: ${cleanLine(advice, 500)}`)
  if (result.partial === true)
    screen.line('warning: the answer is the last text of the model, not one it gave as an answer')
  if (check !== undefined) printCheck(check, screen)
}

function describeTokens({ result: { spent } }: Outcome): string {
  const { inputTokens, cachedTokens, outputTokens } = spent.usage
  const known = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))
  if (inputTokens === null && outputTokens === null) return 'tokens unknown'
  const parts = `${known(inputTokens)} in, ${known(cachedTokens)} of them cached, ${known(outputTokens)} out`
  return `${formatCount(spent.tokens)} tokens (${parts}${spent.partial ? '; at least' : ''})`
}

/** The verdict as a line of its own, then what is right and what is not. */
function printCheck({ passed, detail }: CheckReport, screen: Screen): void {
  screen.line(passed ? screen.paint.green('check: passed') : screen.paint.red('check: failed'))
  for (const line of cleanText(detail)
    .split('\n')
    .filter((text) => text.trim() !== ''))
    screen.line(`  ${line}`)
}
