import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { assemble, isHarnessError, type Message, minLimits, type Run, type Task } from '@harnesswright/core'
import { createFileJournal } from '@harnesswright/core/node'
import { type HostLimits, LIMIT_NAMES } from '../args/parse-limits.js'
import { homeOf } from '../home.js'
import { makeDirectory } from '../make-directory.js'
import type { Outcome } from '../output/outcome.js'
import { totalOf } from '../output/total.js'
import { type ChosenHarness, chooseHarness } from '../run/choose-harness.js'
import { claimRun } from '../run/claim-run.js'
import { type ExecutedRun, executeRun } from '../run/execute-run.js'
import type { PreparedRun } from '../run/prepare-run.js'
import { originOf } from '../run/run-card.js'
import { createRunDirectory, JOURNAL, openTrace, type RunDirectory, type TraceFile } from '../run/run-store.js'
import { openTaskWorkspace, placeOf, reopenWorkspace, type TaskWorkspace } from '../task/task-workspace.js'
import { cleanLine } from '../text/clean.js'
import { type ChatLimits, chargedTo } from './chat-limits.js'
import type { ChatSession, KeptChat, Saying } from './chat-session.js'
import { keepTurn, mendTurns, newestTurn, type Turn, turnDirectory } from './chat-store.js'
import { keepCards, type Surroundings, sourcesOf, surround } from './chat-surroundings.js'
import { readCutOff, UNREADABLE } from './read-cut-off.js'
import { remember, rememberedTokens } from './remember.js'
import { messagesOfTurn } from './turn-messages.js'

/** A turn that came to its end. */
export interface SaidTurn {
  readonly number: number
  readonly executed: ExecutedRun
  /** A limit of the chat, not of a run, ended it. */
  readonly limit?: string
}

interface ChatParts extends Surroundings {
  readonly session: ChatSession
  readonly directory: RunDirectory
  readonly workspace: TaskWorkspace
  readonly chosen: ChosenHarness
  readonly unclaim: () => void
}

/** A conversation with one harness: each turn is a run that begins with the turns before it. */
export class Chat {
  readonly #parts: ChatParts
  #turns: readonly Turn[]

  private constructor(parts: ChatParts, turns: readonly Turn[] = []) {
    this.#parts = parts
    this.#turns = turns
  }

  /** Makes the directory, the workspace and the harness of a new chat. Nothing is left behind when that fails. */
  static async begin(session: ChatSession, { task, world, spec }: Saying): Promise<Chat> {
    const { args, io } = session
    const directory = await createRunDirectory(homeOf(io), io.now())
    const unclaim = claimRun(directory.path)
    try {
      const place = placeOf(args, io.cwd)
      const workspace = openTaskWorkspace({ place, task, runDirectory: directory.path })
      const parts = await surround(session, { directory, workspace, isRealTime: args.switches.has('real-time'), world })
      const chosen = await chooseHarness(sourcesOf(session, parts.env, workspace.task))
      keepCards(directory, session.secrets, { session, place, chosen, ...(spec === undefined ? {} : { spec }) })
      return new Chat({ ...parts, session, directory, workspace, chosen, unclaim })
    } catch (error) {
      unclaim()
      await rm(directory.path, { recursive: true, force: true })
      throw error
    }
  }

  /** Goes on with a chat, in the workspace as it is now. It is given up where that fails. */
  static async goOn(session: ChatSession, kept: KeptChat): Promise<Chat> {
    try {
      return await Chat.#again(session, kept)
    } catch (error) {
      kept.unclaim()
      throw error
    }
  }

  static async #again(session: ChatSession, kept: KeptChat): Promise<Chat> {
    const { directory, run, card, turns, world, unclaim } = kept
    mendTurns(directory.path)
    const task = { instruction: '' }
    const workspace = reopenWorkspace({ place: run.workspace, task, runDirectory: directory.path })
    const { isRealTime, route, explanation } = run
    const parts = await surround(session, { directory, workspace, isRealTime, world })
    const { manifest, harnessId } = card
    const origin = originOf(run, directory)
    const harness = await assemble(manifest, { catalog: session.packages.catalog, env: parts.env, origin })
    if (harness.harnessId !== harnessId)
      session.screen.line('warning: the code of the packages is not that with which the chat began')
    const chosen = { harness, route, origin, explanation }
    const chat = new Chat({ ...parts, session, directory, workspace, chosen, unclaim }, turns)
    await chat.#takeUpUnfinished()
    return chat
  }

  get id(): string {
    return this.#parts.directory.id
  }

  get path(): string {
    return this.#parts.directory.path
  }

  get chosen(): ChosenHarness {
    return this.#parts.chosen
  }

  get turns(): readonly Turn[] {
    return this.#turns
  }

  /** Runs a turn, and keeps what came of it. */
  async say(saying: Saying, onReady: (prepared: PreparedRun) => void): Promise<SaidTurn> {
    const { session } = this.#parts
    const number = this.#turns.length + 1
    const before = session.chatLimits.left
    const earlier = remember(
      this.#turns.map(({ messages }) => messages),
      rememberedTokens(session.model),
    )
    let run: Run | undefined
    const { close: _close, ...open } = session // the model is freed when the chat ends
    const executed = await executeRun(
      { ...open, given: { task: saying.task, ...(saying.world === undefined ? {} : { world: saying.world }) } },
      {
        onReady,
        prepare: async () => {
          const prepared = await this.#prepare(number, saying, earlier)
          const start = async (signal: AbortSignal): Promise<Run> => {
            run = await prepared.start(signal)
            return run
          }
          return { ...prepared, start }
        },
      },
    )
    const { outcome } = executed
    this.#keep(saying.task, outcome, earlier.length)
    const { result, composing } = outcome
    const charged = chargedTo((run as unknown as Run).snapshot()) // it was started, or there would be no outcome
    session.chatLimits.take({
      steps: result.spent.steps,
      tokens: charged.tokens + (composing?.usage.inputTokens ?? 0) + (composing?.usage.outputTokens ?? 0),
      usd: charged.usd + (composing?.usd ?? 0),
      ms: result.ms + (composing?.ms ?? 0),
    })
    const limit = limitOfChat(outcome, before)
    return { number, executed, ...(limit === undefined ? {} : { limit }) }
  }

  /** Gives the chat up for others. One in which nothing was said leaves nothing behind. */
  async close(): Promise<void> {
    const { workspace, unclaim, directory } = this.#parts
    workspace.opened.close()
    unclaim()
    if (this.#turns.length === 0 && newestTurn(directory.path) === 0)
      await rm(directory.path, { recursive: true, force: true })
  }

  #keep({ instruction }: Task, outcome: Pick<Outcome, 'result' | 'composing'>, earlier: number): void {
    const { result } = outcome
    const turn: Turn = {
      instruction,
      status: result.status,
      messages: messagesOfTurn(result, earlier),
      steps: result.spent.steps,
      total: totalOf(outcome),
    }
    keepTurn(this.path, turn, this.#parts.session.secrets)
    this.#turns = [...this.#turns, turn]
  }

  async #prepare(number: number, { task }: Saying, earlier: readonly Message[]): Promise<PreparedRun> {
    const { session, workspace, env, chosen, tap, journal } = this.#parts
    const path = turnDirectory(this.path, number)
    makeDirectory(path, 0o700)
    const file = await createFileJournal(join(path, JOURNAL))
    journal.to(file)
    const { files } = number === 1 ? workspace.task : task
    const messages = [...earlier, ...(task.messages ?? [])]
    const whole: Task = { ...task, ...(files && { files }), ...(messages.length > 0 && { messages }) }
    const { composing: _spent, limits: afterComposing, ...others } = chosen
    const left = lower(session.chatLimits.left, number === 1 ? afterComposing : undefined)
    return {
      directory: { id: `${this.id}/turns/${number}`, path, isOurs: false },
      workspace: { ...workspace, task: whole, opened: { ...workspace.opened, close: () => undefined } },
      env: { ...env, limits: minLimits(env.limits, left) },
      chosen: number === 1 ? chosen : others,
      tap,
      traces: tracesOf(path, session),
      start: async (signal) => chosen.harness.run(whole, { seed: session.rng, signal, limits: left }),
      release: async () => {
        journal.to(undefined)
        await file.close()
      },
    }
  }

  /** A turn whose process was killed, as far as it came: it is kept as one that was interrupted. */
  async #takeUpUnfinished(): Promise<void> {
    const { session, chosen, journal } = this.#parts
    const number = this.#turns.length + 1
    const file = join(turnDirectory(this.path, number), JOURNAL)
    if (!existsSync(file)) return
    journal.to(undefined)
    try {
      const cutOff = await readCutOff(file, chosen.harness)
      if (cutOff === undefined) return
      this.#keep(cutOff.task, { result: cutOff.result }, cutOff.task.messages?.length ?? 0)
      session.screen.line(`warning: turn ${number} was cut off, and is kept as far as it came`)
    } catch (error) {
      if (!isHarnessError(error)) throw error
      keepTurn(this.path, UNREADABLE, session.secrets)
      this.#turns = [...this.#turns, UNREADABLE]
      session.screen.line(`warning: turn ${number} was cut off and is left out: ${cleanLine(error.message, 300)}`)
    }
  }
}

function lower(a: HostLimits, b: ChosenHarness['limits'] = {}): HostLimits {
  const none = Number.POSITIVE_INFINITY
  const lowest = LIMIT_NAMES.map((name) => [name, Math.min(a[name] ?? none, b[name] ?? none)] as const)
  return Object.fromEntries(lowest.filter(([, limit]) => limit < none))
}

/** The limit that ended a turn, where it is one of the chat: no other turn would come further. */
function limitOfChat({ result, manifest }: Outcome, before: ChatLimits['left']): string | undefined {
  const { status, reason } = result
  if (status !== 'limit' || reason === undefined || !Object.hasOwn(before, reason)) return undefined
  const name = reason as keyof typeof before
  return (before[name] ?? 0) <= (manifest.limits?.[name] ?? Number.POSITIVE_INFINITY) ? reason : undefined
}

/** The trace of the turn, and then that of all turns, which stays open. */
function tracesOf(path: string, { secrets, trace }: ChatSession): readonly TraceFile[] {
  const own = openTrace(join(path, 'trace.jsonl'), secrets)
  return trace === undefined ? [own] : [own, { ...trace, close: () => undefined }]
}
