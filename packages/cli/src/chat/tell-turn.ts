import { renderFailure } from '../errors/print-error.js'
import { toJsonObject } from '../output/outcome.js'
import { countOf, describeTokens, printAnswer, printSummary } from '../output/print-outcome.js'
import { questionText } from '../output/questions.js'
import { addTotals } from '../output/total.js'
import type { Host } from '../run/host.js'
import { cleanJson, cleanLine } from '../text/clean.js'
import { formatTime, formatUsd } from '../text/format.js'
import type { Chat, SaidTurn } from './chat.js'

/** Says what came of a turn, and what the chat has cost until then. */
export function tellTurn({ number, executed }: SaidTurn, chat: Chat, { args, io, screen }: Host): void {
  const { outcome, elapsedMs } = executed
  if (args.switches.has('json'))
    io.stdout.write(`${cleanJson({ chat: chat.id, turn: number, ...toJsonObject(outcome) })}\n`)
  else printAnswer(outcome, io, false)
  const { error } = outcome.result
  if (error !== undefined) screen.line(renderFailure(error, outcome.fix).trimEnd())
  printSummary(outcome, screen, elapsedMs)
  for (const question of outcome.questions) screen.line(questionText(question))
  if (number > 1) screen.progress(totalText(chat, outcome.model.simulated === true))
}

/** The sums over all turns of a chat. */
function totalText({ turns }: Chat, isSimulated: boolean): string {
  const total = turns.map((turn) => turn.total).reduce(addTotals)
  const steps = turns.reduce((sum, turn) => sum + turn.steps, 0)
  const kind = isSimulated ? ' simulated' : ''
  const cost = total.usd === null ? formatUsd(null) : `${formatUsd(total.usd)}${kind}`
  const counts = `${countOf(turns.length, 'turn')}, ${countOf(steps, 'step')}, ${countOf(total.modelCalls, 'model call')}`
  return `in total: ${counts}, ${describeTokens(total)}, ${cost}, ${formatTime(total.ms)}${kind}`
}

/** Says which chat goes on, and where it stood. */
export function sayKept({ id, turns }: Chat, { screen }: Pick<Host, 'screen'>): void {
  const last = turns.at(-1)
  const where =
    last === undefined ? '' : `; the last: ${cleanLine(last.instruction, 80)} (${cleanLine(last.status, 20)})`
  screen.progress(`chat ${id}: ${countOf(turns.length, 'turn')}${where}`)
}

/** Says where a chat is kept and how it goes on, also when all else is quiet where it was not ended by who began it. */
export function sayHowToGoOn({ id, path, turns }: Chat, { screen }: Pick<Host, 'screen'>, isCut: boolean): void {
  if (turns.length === 0) return
  screen.progress(`chat: ${path}`)
  const text = `to go on: harnesswright chat --resume ${id}`
  if (isCut) screen.line(text)
  else screen.progress(text)
}
