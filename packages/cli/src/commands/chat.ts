import type { Arguments } from '../args/parse-arguments.js'
import { Chat, type SaidTurn } from '../chat/chat.js'
import { helpLines } from '../chat/chat-input.js'
import type { Saying } from '../chat/chat-session.js'
import { type OpenedChat, openChat } from '../chat/open-chat.js'
import { sayHowToGoOn, sayKept, tellTurn } from '../chat/tell-turn.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io, StopSignal } from '../io.js'
import { exitCodeOf } from '../run/exit-code.js'
import { sayHarness } from './tell-run.js'

/** `chat [message]`: several turns with one harness, typed on a terminal or piped in, a line each. */
export async function chatCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const opened = await openChat(args, io)
  const conversation = new Conversation(opened)
  try {
    return await conversation.hold()
  } finally {
    await conversation.close()
    opened.session.trace?.close()
    await opened.session.close?.()
  }
}

/** The turns of one command, in one chat after another. */
class Conversation {
  readonly #opened: OpenedChat
  #chat: Chat | undefined
  /** Of the last turn that was not answered. */
  #code: ExitCode = EXIT.ok
  #isSaid = false
  #isCut = false

  constructor(opened: OpenedChat) {
    this.#opened = opened
  }

  async hold(): Promise<ExitCode> {
    const { session, first, kept, input } = this.#opened
    await this.#takeUp()
    if (input.isTerminal) session.screen.progress('type a message, or /help')
    let saying: Saying | undefined = first
    let wasInterrupted = false
    while (true) {
      const used = session.chatLimits.usedUp
      // Nobody is let type what cannot be answered.
      if (used !== undefined && (saying !== undefined || input.isTerminal)) return this.#endByLimit(used)
      if (saying === undefined) {
        const heard = await input.next(wasInterrupted)
        if ('ended' in heard) return this.#endBy(heard.ended)
        if ('command' in heard) {
          if (heard.command === 'exit') return this.#endBy('end')
          if (heard.command === 'new') await this.close()
          else for (const line of helpLines()) session.screen.line(line)
          wasInterrupted = false
          continue
        }
        saying = { task: { instruction: heard.text } }
        continue
      }
      const stopped = await this.#begin(saying)
      if (stopped !== undefined) return this.#endBy(stopped)
      const { executed, limit } = await this.#say(saying, kept !== undefined)
      saying = undefined
      if (limit !== undefined) return this.#endByLimit(limit)
      wasInterrupted = executed.signal === 'SIGINT'
      if (executed.signal !== undefined && !(wasInterrupted && input.isTerminal)) return this.#endBy(executed.signal)
    }
  }

  /** Gives the chat up, and says how it goes on. */
  async close(): Promise<void> {
    const chat = this.#chat
    if (chat === undefined) return
    this.#chat = undefined
    await chat.close()
    sayHowToGoOn(chat, this.#opened.session, this.#isCut)
  }

  /** A chat that is gone on with, and a harness that is named, are there before anything is said: what is wrong is told at once. */
  async #takeUp(): Promise<void> {
    const { session, first, kept } = this.#opened
    const { manifest, seed } = session.args.values
    if (kept !== undefined) {
      this.#chat = await Chat.goOn(session, kept)
      sayKept(this.#chat, session)
    } else if (first === undefined && (manifest !== undefined || seed !== undefined)) {
      this.#chat = await Chat.begin(session, { task: { instruction: '' } })
    }
  }

  /** Begins a chat where there is none; gives the signal that came meanwhile, as a model may be composing. */
  async #begin(saying: Saying): Promise<StopSignal | undefined> {
    const { session } = this.#opened
    if (this.#chat !== undefined) return undefined
    let signal: StopSignal | undefined
    const stopListening = session.io.onSignal((received) => {
      signal ??= received
    })
    try {
      this.#chat = await Chat.begin(session, saying)
    } finally {
      stopListening()
    }
    return signal
  }

  async #say(saying: Saying, isKept: boolean): Promise<SaidTurn> {
    const { session } = this.#opened
    const chat = this.#chat as Chat // it was begun
    const isFirst = chat.turns.length === 0 || (isKept && !this.#isSaid)
    const turn = await chat.say(saying, (prepared) => {
      if (isFirst) sayHarness(prepared, session)
    })
    this.#isSaid = true
    tellTurn(turn, chat, session)
    const code = exitCodeOf(turn.executed.outcome, turn.executed.signal)
    if (code !== EXIT.ok) this.#code = code
    return turn
  }

  #endByLimit(name: string): ExitCode {
    this.#isCut = true
    this.#opened.session.screen.line(`limit: ${name} of this chat is used up; --limit counts anew when it goes on`)
    return EXIT.limit
  }

  /** Who ends a chat on a terminal has seen what came of it; else the last turn that was not answered decides. */
  #endBy(how: 'end' | StopSignal): ExitCode {
    if (how === 'end') {
      this.#isCut = this.#code !== EXIT.ok
      return this.#opened.input.isTerminal ? EXIT.ok : this.#code
    }
    this.#isCut = true
    return how === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
  }
}
