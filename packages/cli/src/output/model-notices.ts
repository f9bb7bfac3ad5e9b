import type { RetryInfo } from '@harnesswright/plugin-model-openai'
import { cleanLine } from '../text/clean.js'
import { formatTime } from '../text/format.js'
import type { Screen } from './screen.js'

/** Most attempts of one call, as the plugin of endpoints has it; some failures are tried again less often. */
const MOST_ATTEMPTS = 5

/** Tells of a wait before another attempt at an endpoint. */
export function tellRetry({ attempt, delayMs, code, message }: RetryInfo, screen: Screen): void {
  const why = code.replace('E_MODEL_', '').toLowerCase().replaceAll('_', ' ')
  const details = screen.isVerbose ? `: ${cleanLine(message, 300)}` : ''
  screen.progress(
    `waiting ${formatTime(delayMs)}: ${why}, attempt ${attempt + 1} of at most ${MOST_ATTEMPTS}${details}`,
  )
}

/** Tells what is odd in a reply of a model. */
export function tellWarning(message: string, screen: Screen): void {
  screen.line(`warning: ${cleanLine(message, 500)}`)
}
