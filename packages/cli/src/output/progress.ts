import type { HarnessEvent, ModelInfo } from '@harnesswright/core'
import { cleanLine } from '../text/clean.js'
import { formatCount, formatTime, formatUsd } from '../text/format.js'
import { describeEvent, eventText, indentOf, stepName } from './event-text.js'
import type { Screen } from './screen.js'
import { callText, StepCalls } from './step-calls.js'

/** What progress is told with. */
export interface ProgressOptions {
  readonly screen: Screen
  readonly model: Pick<ModelInfo, 'simulated'>
  /** The computer's clock in ms. */
  now(): number
}

/** Pieces of a reply move the line at most so often. */
const REDRAW_MS = 100

/**
 * Tells people what a run does, from its events: a line that stays for each finished step, indented for child runs, and on
 * a terminal one below them that changes.
 */
export class Progress {
  readonly #options: ProgressOptions
  readonly #startedAt: number
  /** Time of the first event on the clock of the run. */
  #originMs: number | undefined
  readonly #calls = new StepCalls()
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
    const { screen } = this.#options
    this.#originMs ??= event.at
    if (screen.isVerbose) screen.progress(screen.paint.dim(`  ${describeEvent(event)}`))
    this.#calls.take(event)
    this.#takeIn(event)
    if (event.type === 'warning') screen.line(`warning: ${cleanLine(event.message, 500)}`)
    if (event.type === 'healed') screen.line(`warning: ${cleanLine(`${event.module}: ${event.what}`, 500)}`)
    const text = event.type === 'step-end' ? this.#stepLine(event) : eventText(event)
    if (text !== undefined) screen.progress(`${indentOf(event.path)}${text}`)
    if (event.type === 'run-end' && event.path === '') screen.clear()
    else if (event.type !== 'model-delta' || this.#options.now() - this.#drawnAt >= REDRAW_MS) this.#draw(event)
  }

  #takeIn(event: HarnessEvent): void {
    switch (event.type) {
      case 'model-start':
        this.#doing = `model: ${event.purpose}`
        this.#streamed = 0
        return
      case 'model-delta':
        this.#streamed += (event.text ?? event.reasoning ?? '').length
        this.#doing = `model: ${formatCount(this.#streamed)} characters`
        return
      case 'model-end':
        this.#count(event)
        return
      case 'tool-start':
        this.#doing = callText(event)
        return
      case 'retry':
        this.#doing = `waiting ${formatTime(event.delayMs)}`
        return
      case 'ask':
        this.#doing = 'asking a person'
        return
    }
  }

  #count({ usage, usd }: HarnessEvent & { readonly type: 'model-end' }): void {
    this.#tokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
    this.#isPartial ||= usage.inputTokens === null || usage.outputTokens === null
    this.#usd = this.#usd === null || usd === null ? null : this.#usd + usd
  }

  #stepLine(event: HarnessEvent & { readonly type: 'step-end' }): string {
    const figures = [this.#tokensText(event.tokens), formatUsd(event.usd), this.#time(event.at)]
    const what = cleanLine(this.#calls.textOf(event), 100)
    return `${stepName(event)}  ${what}  ${this.#options.screen.paint.dim(figures.join(', '))}`
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
