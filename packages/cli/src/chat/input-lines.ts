import { cliError } from '../errors/cli-error.js'

const MAX_CHARS = 16 * 1024 * 1024

/** The lines of standard input, one by one and no sooner than they are asked for. Blank ones are left out. */
export class InputLines {
  readonly #chunks: AsyncIterator<string | Uint8Array>
  readonly #decoder = new TextDecoder()
  #rest = ''
  #isOver = false

  constructor(stdin: AsyncIterable<string | Uint8Array>) {
    this.#chunks = stdin[Symbol.asyncIterator]()
  }

  /**
   * The next line that is not blank; undefined when there is none.
   *
   * @throws HarnessError `E_CLI_TASK` for one of more than 16 Mi characters.
   */
  async next(): Promise<string | undefined> {
    while (true) {
      const line = this.#take()
      if (line === undefined && this.#isOver) return undefined
      if (line === undefined) await this.#read()
      else if (line.trim() !== '') return line.trim()
    }
  }

  /** What is there up to the end of a line, or of the input. */
  #take(): string | undefined {
    const end = this.#rest.indexOf('\n')
    if (end < 0 && !(this.#isOver && this.#rest !== '')) return undefined
    const line = end < 0 ? this.#rest : this.#rest.slice(0, end)
    this.#rest = end < 0 ? '' : this.#rest.slice(end + 1)
    return line
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done === true) {
      this.#isOver = true
      this.#rest += this.#decoder.decode()
      return
    }
    this.#rest += typeof value === 'string' ? value : this.#decoder.decode(value, { stream: true })
    if (this.#rest.length > MAX_CHARS && !this.#rest.includes('\n')) throw tooLong()
  }
}

function tooLong(): Error {
  return cliError('E_CLI_TASK', {
    message: `A line on standard input is longer than ${MAX_CHARS} characters.`,
    where: 'standard input',
    expected: 'a turn in a few words on each line',
    fix: 'Put data into files and name them with --workspace.',
  })
}
