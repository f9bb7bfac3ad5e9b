import type { HarnessEvent } from '@harnesswright/core'
import { MOST_ATTEMPTS } from '@harnesswright/plugin-model-openai'
import { cleanLine } from '../text/clean.js'
import { formatTime } from '../text/format.js'
import { questionText } from './questions.js'

/** Which step of which run. */
export function stepName({ path, step }: HarnessEvent): string {
  return path === '' ? `step ${step}` : `${cleanLine(path, 40)} step ${step}`
}

/** How far the lines of a run stand in: two columns for each run above it. */
export function indentOf(path: string): string {
  return path === '' ? '' : '  '.repeat(path.split('/').length)
}

/** What is told of an event on a line that stays; of most events nothing is. Steps are told by their calls. */
export function eventText(event: HarnessEvent): string | undefined {
  switch (event.type) {
    case 'limit':
      return `limit reached: ${cleanLine(event.reason)}`
    case 'retry':
      return retryText(event)
    case 'child-start':
      return `  ${cleanLine(event.child, 40)} starts: ${cleanLine(event.instruction, 100)}`
    case 'child-end':
      return `  ${cleanLine(event.child, 40)} ${event.status}${reasonText(event.reason)}`
    case 'ask':
      return questionText(event)
    default:
      return undefined
  }
}

/** An event whole, on one line, for `--verbose`. */
export function describeEvent({ type, path, step, at, ...body }: HarnessEvent): string {
  return cleanLine(
    `${formatTime(at)} ${path === '' ? '' : `${path} `}step ${step} ${type} ${JSON.stringify(body)}`,
    300,
  )
}

/** A wait before another attempt: which model, why, for how long. */
function retryText({ model, attempt, delayMs, code }: HarnessEvent & { readonly type: 'retry' }): string {
  const why = cleanLine(code.replace('E_MODEL_', '').toLowerCase().replaceAll('_', ' '), 40)
  return `waiting ${formatTime(delayMs)} for ${cleanLine(model, 60)}: ${why}, attempt ${attempt} of at most ${MOST_ATTEMPTS}`
}

function reasonText(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${cleanLine(reason)})`
}
