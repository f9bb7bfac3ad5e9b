import type { HarnessEvent, ModelInfo } from '@harnesswright/core'
import { cleanLine } from '../text/clean.js'
import { formatCount, formatTime, formatUsd } from '../text/format.js'
import type { Screen } from './screen.js'

/** What progress is told with. */
export interface ProgressOptions {
  readonly screen: Screen
  readonly model: Pick<ModelInfo, 'simulated'>
  /** The computer's clock in ms. */
  now(): number
  /** Say each step on a line that stays, on a terminal too. Default: off a terminal only. */
  readonly keepSteps?: boolean
}

/** Pieces of a reply move the line at most so often. */
const REDRAW_MS = 100

/** Tells people what a run does, from its events. */
export class Progress {
  readonly #options: ProgressOptions
  readonly #startedAt: number
  /** Time of the first event on the clock of the run. */
  #originMs: number | undefined
  readonly #calls: Map<string, string> = new Map()
  #tokens = 0
  /** Characters of the reply that is coming in. */
  #streamed = 0
  #drawnAt = Number.NEGATIVE_INFINITY
  /** A reply came without a count of its tokens. */
  #isPartial = false
  #usd: number | null = 0
  #doing = 'starting'

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#startedAt = options.now()
  }

  /** Takes in one event. */
  event(event: HarnessEvent): void {
    const { screen, keepSteps = false } = this.#options
    this.#originMs ??= event.at
    if (screen.isVerbose) screen.progress(screen.paint.dim(`  ${describeEvent(event)}`))
    this.#takeIn(event)
    if (event.type === 'warning') screen.line(`warning: ${cleanLine(event.message, 500)}`)
    if (event.type === 'healed') screen.line(`warning: ${cleanLine(`${event.module}: ${event.what}`, 500)}`)
    if (event.type === 'limit') screen.progress(`limit reached: ${cleanLine(event.reason)}`)
    if (event.type === 'step-end' && (keepSteps || !screen.isLive)) screen.progress(this.#stepLine(event))
    if (event.type === 'run-end') screen.clear()
    else if (event.type !== 'model-delta' || this.#options.now() - this.#drawnAt >= REDRAW_MS) this.#draw(event)
  }

  #takeIn(event: HarnessEvent): void {
    if (event.type === 'step-start') this.#calls.clear()
    if (event.type === 'model-start') {
      this.#doing = `model: ${event.purpose}`
      this.#streamed = 0
    }
    if (event.type === 'model-delta') {
      this.#streamed += (event.text ?? event.reasoning ?? '').length
      this.#doing = `model: ${formatCount(this.#streamed)} characters`
    }
    if (event.type === 'tool-start') {
      const call = `${event.tool}${callText(event.arguments)}`
      this.#calls.set(event.callId, call)
      this.#doing = call
    }
    if (event.type === 'tool-end' && !event.observation.ok) {
      const { callId, tool } = event
      this.#calls.set(callId, `${this.#calls.get(callId) ?? tool} failed`)
    }
    if (event.type === 'model-end') {
      const { inputTokens, outputTokens } = event.usage
      this.#tokens += (inputTokens ?? 0) + (outputTokens ?? 0)
      this.#isPartial ||= inputTokens === null || outputTokens === null
      this.#usd = this.#usd === null || event.usd === null ? null : this.#usd + event.usd
    }
  }

  #stepLine(event: HarnessEvent & { readonly type: 'step-end' }): string {
    const what = this.#calls.size > 0 ? [...this.#calls.values()].join(', ') : event.action
    const figures = [this.#tokensText(event.tokens), formatUsd(event.usd), this.#time(event.at)]
    return `${stepName(event)}  ${cleanLine(what, 100)}  ${this.#options.screen.paint.dim(figures.join(', '))}`
  }

  #draw(event: HarnessEvent): void {
    const figures = [this.#tokensText(this.#tokens), formatUsd(this.#usd), this.#time(event.at)]
    this.#drawnAt = this.#options.now()
    const elapsed = `${formatTime(this.#drawnAt - this.#startedAt)} elapsed`
    this.#options.screen.status([stepName(event), cleanLine(this.#doing, 40), ...figures, elapsed].join(' · '))
  }

  #tokensText(count: number): string {
    if (!this.#isPartial) return `${formatCount(count)} tokens`
    return count === 0 ? 'unknown tokens' : `at least ${formatCount(count)} tokens`
  }

  #time(at: number): string {
    const time = formatTime(at - (this.#originMs ?? at))
    return this.#options.model.simulated === true ? `${time} simulated` : time
  }
}

function stepName({ path, step }: HarnessEvent): string {
  return path === '' ? `step ${step}` : `${cleanLine(path, 40)} step ${step}`
}

/** Arguments of a call in a few characters. */
function callText(text: string): string {
  try {
    const values = Object.values(JSON.parse(text) as object).map((value) => JSON.stringify(value))
    return `(${cleanLine(values.join(', '), 48)})`
  } catch {
    return '(…)'
  }
}

/** An event on one line, for `--verbose`. */
function describeEvent({ type, path, step, at, ...body }: HarnessEvent): string {
  return cleanLine(
    `${formatTime(at)} ${path === '' ? '' : `${path} `}step ${step} ${type} ${JSON.stringify(body)}`,
    300,
  )
}
