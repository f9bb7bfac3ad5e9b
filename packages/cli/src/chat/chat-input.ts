import type { Io, StopSignal } from '../io.js'
import type { Screen } from '../output/screen.js'
import { cleanLine } from '../text/clean.js'
import { InputLines } from './input-lines.js'
import type { Typed } from './read-typed.js'

const COMMANDS = { help: 'say what can be typed', new: 'begin a new chat', exit: 'end the chat (also Ctrl-D)' } as const

/** What a person may type beside messages, after a slash. */
type ChatCommand = keyof typeof COMMANDS

/** What comes next in a chat. */
type Heard =
  | { readonly text: string }
  | { readonly command: ChatCommand }
  /** `end`: nothing more comes. */
  | { readonly ended: 'end' | StopSignal }

/** Where the turns of a chat come from. */
export interface ChatInput {
  readonly isTerminal: boolean
  /** @param wasInterrupted - Ctrl-C has just ended a turn: one more ends the chat. */
  next(wasInterrupted: boolean): Promise<Heard>
  /** How a question of a run is asked. */
  readonly asker: { readonly io: Io; readonly screen: Screen }
}

/** The terminal, where there is one, else the lines of standard input. */
export function chatInput(io: Io, screen: Screen): ChatInput {
  return io.isTTY.stdin && io.isTTY.stderr ? new TypedInput(io, screen) : new PipedInput(io, screen)
}

/** The lines of the help. */
export function helpLines(): readonly string[] {
  const commands = Object.entries(COMMANDS).map(([name, text]) => `  /${name.padEnd(5)} ${text}`)
  return [...commands, '  Ctrl-C ends the turn that is under way; one more ends the chat']
}

class TypedInput implements ChatInput {
  readonly isTerminal = true
  readonly asker: ChatInput['asker']
  readonly #io: Io
  readonly #screen: Screen
  readonly #history: string[] = []

  constructor(io: Io, screen: Screen) {
    this.#io = io
    this.#screen = screen
    this.asker = { io, screen }
  }

  async next(wasInterrupted: boolean): Promise<Heard> {
    let isLast = wasInterrupted
    while (true) {
      this.#screen.clear()
      const { typed, signal } = await this.#read()
      if (signal === 'SIGTERM') return { ended: signal }
      if ('text' in typed) {
        const heard = this.#take(typed.text)
        if (heard !== undefined) return heard
        isLast = false
      } else if (typed.ended === 'end' || isLast) return { ended: typed.ended === 'end' ? 'end' : 'SIGINT' }
      else {
        this.#screen.line('Ctrl-C again, Ctrl-D or /exit ends the chat')
        isLast = true
      }
    }
  }

  async #read(): Promise<{ readonly typed: Typed; readonly signal: StopSignal | undefined }> {
    const stop = new AbortController()
    let signal: StopSignal | undefined
    const stopListening = this.#io.onSignal((received) => {
      signal = received
      stop.abort()
    })
    try {
      return { typed: await this.#io.prompt('> ', { history: this.#history, signal: stop.signal }), signal }
    } finally {
      stopListening()
    }
  }

  /** A word after a slash is a command; a space before it makes it a message. */
  #take(text: string): Heard | undefined {
    if (text.trim() === '') return undefined
    this.#history.push(text)
    const [, name] = /^\/([a-z]+)\s*$/.exec(text) ?? []
    if (name === undefined) return { text: text.trim() }
    if (Object.hasOwn(COMMANDS, name)) return { command: name as ChatCommand }
    this.#screen.line(`there is no command /${cleanLine(name)}; with a space before the slash it is a message`)
    for (const line of helpLines()) this.#screen.line(line)
    return undefined
  }
}

/** Each line is a message, whatever it begins with; the answer to a question of a run is the next one. */
class PipedInput implements ChatInput {
  readonly isTerminal = false
  readonly asker: ChatInput['asker']
  readonly #io: Io
  readonly #lines: InputLines

  constructor(io: Io, screen: Screen) {
    this.#io = io
    this.#lines = new InputLines(io.stdin)
    const ask = async (): Promise<string> => (await this.#lines.next()) ?? ''
    this.asker = { io: { ...io, ask, isTTY: { ...io.isTTY, stdin: true, stderr: true } }, screen }
  }

  async next(): Promise<Heard> {
    let stopListening = (): void => undefined
    const stopped = new Promise<Heard>((resolve) => {
      stopListening = this.#io.onSignal((signal) => resolve({ ended: signal }))
    })
    const line = this.#lines.next().then((text): Heard => (text === undefined ? { ended: 'end' } : { text }))
    try {
      return await Promise.race([line, stopped])
    } finally {
      stopListening()
    }
  }
}
