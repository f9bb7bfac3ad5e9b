import type { Arguments } from '../args/parse-arguments.js'
import type { Io } from '../io.js'

/** Colours of standard error; each gives the text alone where there are none. */
export interface Paint {
  red(text: string): string
  green(text: string): string
  dim(text: string): string
}

/**
 * Standard error as people see it: lines that stay, and at most one line below them that changes.
 *
 * Off a terminal, and with `NO_COLOR` or `--no-color`, there is no such line and no escape sequence.
 */
export class Screen {
  readonly #io: Io
  #isStatusShown = false
  /** Whether there is a line that changes. */
  readonly isLive: boolean
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  readonly paint: Paint

  constructor(io: Io, { switches }: Pick<Arguments, 'switches'>) {
    this.#io = io
    const isPlain = Boolean(io.env['NO_COLOR']) || switches.has('no-color') || io.env['TERM'] === 'dumb'
    const isRich = io.isTTY.stderr && !isPlain
    this.isQuiet = switches.has('quiet')
    this.isVerbose = switches.has('verbose')
    this.isLive = isRich && !this.isQuiet
    this.paint = isRich ? { red: sgr(31), green: sgr(32), dim: sgr(2) } : { red: same, green: same, dim: same }
  }

  /** A line that stays. The text is clean already. */
  line(text: string): void {
    this.clear()
    this.#io.stderr.write(`${text}\n`)
  }

  /** A line of progress, which `--quiet` leaves out. */
  progress(text: string): void {
    if (!this.isQuiet) this.line(text)
  }

  /** Replaces the line that changes. */
  status(text: string): void {
    if (!this.isLive) return
    const width = Math.max(20, (this.#io.stderr.columns || 80) - 1)
    this.#io.stderr.write(`\r\u001b[2K${text.slice(0, width)}`)
    this.#isStatusShown = true
  }

  /** Takes the changing line away. */
  clear(): void {
    if (!this.#isStatusShown) return
    this.#io.stderr.write('\r\u001b[2K')
    this.#isStatusShown = false
  }
}

const same = (text: string): string => text

function sgr(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[0m`
}
