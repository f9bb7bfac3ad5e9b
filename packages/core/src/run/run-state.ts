import type { EventBody, Json, Limits, Manifest, Message, RunResult, Step, Task, Tool } from '@harnesswright/protocol'
import type { Mount } from '../assemble/mount.js'
import type { Environment, Random } from '../environment/environment.js'
import { mixSeed } from '../environment/random.js'
import { isHarnessError } from '../errors/error.js'
import { renderTask } from '../history/render.js'
import type { Hooks } from '../hooks/hooks.js'
import { copyJson, freezeJson } from '../json/copy.js'
import { mapTexts, wellFormed } from '../json/text.js'
import type { Ctx } from '../module/module.js'
import { AbortGate } from './abort-gate.js'
import { createCtx } from './ctx.js'
import { EventStream } from './event-stream.js'
import { Meter } from './meter.js'
import { RequestSizes } from './request-size.js'
import { StateStore } from './state-store.js'
import { LiveTurn } from './turn.js'

/** What the kernel reads of a harness. */
export interface HarnessCore {
  readonly manifest: Manifest
  readonly manifestId: string
  readonly harnessId: string
  readonly mounts: readonly Mount[]
  readonly hooks: Hooks
}

/** What a run is started with. */
export interface RunSetup {
  readonly harness: HarnessCore
  readonly env: Environment
  readonly task: Task
  readonly limits: Limits
  readonly seed: number
  readonly signal: AbortSignal | undefined
}

/** Everything a run stands on: its trajectory, its states, its meter. Only the kernel writes here. */
export class RunState {
  readonly harness: HarnessCore
  readonly env: Environment
  readonly task: Task
  readonly limits: Limits
  readonly seed: number
  readonly path: string = ''
  readonly depth: number = 0
  readonly session: string
  readonly startedAt: number
  readonly gate: AbortGate
  readonly meter: Meter
  readonly sizes: RequestSizes
  readonly states: StateStore
  readonly events: EventStream
  readonly warnings: string[] = []
  /** The trajectory: a new list at each step, so that a module's look at it stays what it was. */
  steps: readonly Step[] = []
  readonly children: Record<string, RunResult> = {}
  readonly artifacts: string[] = []
  /** Texts of calls whose arguments could not be read, by call id. */
  readonly brokenArguments: Map<string, string> = new Map()
  readonly callIds: Set<string> = new Set()
  readonly toolCounts: Map<string, number> = new Map()
  /** Tools in the order in which requests have offered them: the list sent only grows. */
  readonly wireTools: Map<string, Tool> = new Map()
  readonly tools: readonly Tool[]
  brought: readonly Tool[] = []
  /** Some result was cut: `read_result` is on offer from then on. */
  hasCutResults = false
  head: readonly Message[]
  /** Messages of the finished steps. */
  readonly history: Message[] = []
  turn: LiveTurn
  /** The closing answer is sought: requests may use the reserve. */
  isFinishing = false
  readonly #kept: Map<string, Json> = new Map()
  readonly #secrets: readonly string[]
  readonly #ctxs: Map<string, Ctx> = new Map()
  readonly #randoms: Map<string, Random> = new Map()

  constructor({ harness, env, task, limits, seed, signal }: RunSetup) {
    this.harness = harness
    this.env = env
    this.task = this.#handOut(task)
    this.limits = limits
    this.#secrets = spellings(env.secrets)
    this.seed = seed
    this.session = env.newId()
    this.startedAt = env.clock.now()
    this.gate = new AbortGate(signal)
    this.meter = new Meter(limits)
    this.sizes = new RequestSizes(env)
    this.events = new EventStream(env.observe, (message) => this.warn(message))
    this.tools = env.tools
    this.states = new StateStore(harness.mounts)
    for (const message of task.messages ?? []) for (const call of message.toolCalls ?? []) this.callIds.add(call.id)
    this.head = this.#handOut(this.#opening())
    this.turn = new LiveTurn(this, 0)
  }

  ctx(mount: Mount): Ctx {
    return kept(this.#ctxs, mount.key, () => createCtx(this, mount))
  }

  random(key: string): number {
    return kept(this.#randoms, key, () => this.env.random(mixSeed(this.seed, this.path, key))).next()
  }

  /** Brings the head up to date; a system text that has not changed costs nothing. */
  buildHead(sections: readonly string[]): void {
    const text = sections.filter((section) => section !== '').join('\n\n')
    const [first] = this.head
    if (text === (first?.role === 'system' ? first.content : '')) return
    const rest = this.head.filter((message) => message.role !== 'system')
    const system: readonly Message[] = text === '' ? [] : [{ role: 'system', content: text, id: 'head.0' }]
    this.head = this.#handOut([...system, ...rest])
  }

  /** Earlier turns, which keep what was said and not where, and the task. */
  #opening(): readonly Message[] {
    const turns = (this.task.messages ?? []).filter((message) => message.role !== 'system')
    const said = turns.map(({ step: _step, covers: _covers, ...message }) => message)
    const task: Message = { role: 'user', content: renderTask(this.task, this.env.artifacts) }
    return withIds([...said, task], (index) => `head.${index + 1}`)
  }

  /** What modules are shown is frozen in strict mode. */
  #handOut<T>(value: T): T {
    return this.env.strict ? freezeJson(value) : value
  }

  headAndHistory(): readonly Message[] {
    return [...this.head, ...this.history]
  }

  /** Adds a finished step to the trajectory. */
  append(step: Step): void {
    this.gate.signal.throwIfAborted()
    const recorded = this.clean(step)
    this.steps = this.#handOut([...this.steps, recorded])
    this.history.push(...recorded.messages)
  }

  /** Brings the last step up to date with what was done in `record`; its notes come after its messages. */
  finishLast(notes: readonly Message[], fields: Partial<Step>): void {
    const last = this.steps.at(-1)
    if (last === undefined) return
    const { index, messages } = last
    const added = withIds(this.clean(notes), (at) => `${index}.${messages.length + at}`).map((note) => ({
      ...note,
      step: index,
    }))
    this.steps = this.#handOut(this.steps.with(-1, { ...last, ...fields, messages: [...messages, ...added] }))
    this.history.push(...added)
  }

  put(value: Json): string {
    const id = `${this.path === '' ? '' : `${this.path}/`}a${this.artifacts.length + 1}`
    const copy = this.clean(copyJson(value))
    this.#kept.set(id, copy)
    this.env.artifacts.put(id, copy)
    this.artifacts.push(id)
    return id
  }

  /** An artifact of this run, else of the host: not one of another run that has the same id. */
  get(id: string): Json | undefined {
    return this.#kept.get(id) ?? this.env.artifacts.get(id)
  }

  warn(message: string, module?: string): void {
    this.warnings.push(this.clean(message))
    this.emit(() => ({ type: 'warning', message, ...(module === undefined ? {} : { module }) }))
  }

  emit(body: () => EventBody): void {
    if (!this.events.isRead) return
    this.events.emit({ path: this.path, step: this.turn.step, at: this.env.clock.now() }, this.clean(body()))
  }

  /** Time left in ms. */
  leftMs(): number {
    return Math.max(0, this.limits.ms - (this.env.clock.now() - this.startedAt))
  }

  /** The value as it may be recorded: without lone surrogates, and with every secret of the environment replaced. */
  clean<T>(value: T): T {
    return mapTexts(value, (text) =>
      this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), wellFormed(text)),
    )
  }

  /** An abort, told apart from a failure. */
  isAbort(error: unknown): boolean {
    return this.gate.signal.aborted && isHarnessError(error) && error.code === 'E_RUN_ABORTED'
  }
}

/** Each secret as it is and as it stands inside JSON, the longest first, so that none leaves its end behind. */
function spellings(secrets: readonly string[]): readonly string[] {
  const all = secrets.flatMap((secret) => (secret === '' ? [] : [secret, JSON.stringify(secret).slice(1, -1)]))
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** Gives ids to messages. */
export function withIds(messages: readonly Message[], idOf: (index: number) => string): readonly Message[] {
  return messages.map((message, index) => ({ ...message, id: idOf(index) }))
}
