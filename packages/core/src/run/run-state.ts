import type { Mount } from '../assemble/mount.js'
import { mixSeed } from '../environment/random.js'
import { HarnessError } from '../errors/error.js'
import { renderTask } from '../history/render.js'
import type { Hooks } from '../hooks/hooks.js'
import { freezeJson } from '../json/copy.js'
import type {
  Environment,
  EventBody,
  Json,
  Limits,
  Manifest,
  Message,
  ModelInfo,
  Random,
  RunResult,
  Step,
  Task,
  Tool,
} from '../protocol/index.js'
import { AbortGate } from './abort-gate.js'
import { ModuleCtx } from './ctx.js'
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
  readonly steps: Step[] = []
  readonly children: Record<string, RunResult> = {}
  readonly artifacts: string[] = []
  /** Texts of calls whose arguments could not be read, by call id. */
  readonly brokenArguments: Map<string, string> = new Map()
  readonly callIds: Set<string> = new Set()
  readonly toolCounts: Map<string, number> = new Map()
  /** Tools in the order in which requests have offered them: the list sent only grows. */
  readonly wireTools: Tool[] = []
  readonly tools: readonly Tool[]
  brought: readonly Tool[] = []
  /** Some result was cut: `read_result` is on offer from then on. */
  hasCutResults = false
  head: readonly Message[] = []
  turn: LiveTurn
  #ctxs: Map<string, ModuleCtx> = new Map()
  #randoms: Map<string, Random> = new Map()
  #history: Message[] = []

  constructor(setup: RunSetup) {
    const { harness, env } = setup
    this.harness = harness
    this.env = env
    this.task = env.strict ? freezeJson(setup.task) : setup.task
    this.limits = setup.limits
    this.seed = setup.seed
    this.session = env.newId()
    this.startedAt = env.clock.now()
    this.gate = new AbortGate(setup.signal)
    this.meter = new Meter(setup.limits)
    this.sizes = new RequestSizes(env)
    this.events = new EventStream(env.observe, (message) => this.warn(message))
    this.tools = env.tools
    this.states = new StateStore(harness.mounts)
    for (const message of setup.task.messages ?? [])
      for (const call of message.toolCalls ?? []) this.callIds.add(call.id)
    this.turn = new LiveTurn(this, 0)
  }

  ctx(mount: Mount): ModuleCtx {
    let ctx = this.#ctxs.get(mount.key)
    if (ctx === undefined) {
      ctx = new ModuleCtx(this, mount)
      this.#ctxs.set(mount.key, ctx)
    }
    return ctx
  }

  get modelInfo(): ModelInfo {
    return this.env.model()
  }

  /** Brings the head up to date; a section that has not changed costs nothing. */
  buildHead(sections: readonly string[]): void {
    const text = sections.filter((section) => section !== '').join('\n\n')
    if (this.head.length === 0) {
      const turns = (this.task.messages ?? []).filter((message) => message.role !== 'system')
      const task: Message = { role: 'user', content: renderTask(this.task, this.env.artifacts) }
      this.head = withIds([...turns.map(withoutPlace), task], (index) => `head.${index + 1}`)
    }
    const [first, ...rest] = this.head
    if (first?.role === 'system') {
      if (first.content === text) return
      this.head = text === '' ? rest : [{ role: 'system', content: text, id: 'head.0' }, ...rest]
    } else if (text !== '') {
      this.head = [{ role: 'system', content: text, id: 'head.0' }, ...this.head]
    }
    if (this.env.strict) freezeJson(this.head)
  }

  headAndHistory(): readonly Message[] {
    return [...this.head, ...this.#history]
  }

  /** Messages of the finished steps. */
  get history(): readonly Message[] {
    return this.#history
  }

  /** Adds a finished step to the trajectory. */
  append(step: Step): void {
    this.gate.signal.throwIfAborted()
    this.steps.push(step)
    this.#history.push(...step.messages)
  }

  /** Replaces the last step by one with further messages. */
  extendLast(messages: readonly Message[]): void {
    const last = this.steps.at(-1)
    if (last === undefined || messages.length === 0) return
    const placed = withIds(messages, (index) => `${last.index}.${last.messages.length + index}`).map((message) => ({
      ...message,
      step: last.index,
    }))
    this.steps[this.steps.length - 1] = { ...last, messages: [...last.messages, ...placed] }
    this.#history.push(...placed)
  }

  /** Brings the last step up to date with what was done in `record`. */
  replaceLast(fields: Partial<Step>): void {
    const last = this.steps.at(-1)
    if (last !== undefined) this.steps[this.steps.length - 1] = { ...last, ...fields }
  }

  random(key: string): number {
    let stream = this.#randoms.get(key)
    if (stream === undefined) {
      stream = this.env.random(mixSeed(this.seed, this.path, key))
      this.#randoms.set(key, stream)
    }
    return stream.next()
  }

  put(value: Json): string {
    const id = `${this.path === '' ? 'a' : `${this.path}/a`}${this.artifacts.length + 1}`
    this.env.artifacts.put(id, value)
    this.artifacts.push(id)
    return id
  }

  warn(message: string, module?: string): void {
    this.warnings.push(message)
    this.emit(() => ({ type: 'warning', message, ...(module === undefined ? {} : { module }) }))
  }

  emit(body: () => EventBody): void {
    if (!this.events.isRead) return
    this.events.emit({ path: this.path, step: this.turn.step, at: this.env.clock.now() }, body())
  }

  /** Time left in ms. */
  leftMs(): number {
    return Math.max(0, this.limits.ms - (this.env.clock.now() - this.startedAt))
  }

  /** The text with every secret of the environment replaced. */
  redact(text: string): string {
    return this.env.secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '[secret]')), text)
  }

  /** An abort and a limit, told apart from a failure. */
  isAbort(error: unknown): boolean {
    return this.gate.signal.aborted && error instanceof HarnessError && error.code === 'E_RUN_ABORTED'
  }
}

/** Gives ids to messages. */
export function withIds(messages: readonly Message[], idOf: (index: number) => string): readonly Message[] {
  return messages.map((message, index) => ({ ...message, id: idOf(index) }))
}

/** An earlier turn keeps what was said, and not where. */
function withoutPlace(message: Message): Message {
  const { id: _id, step: _step, covers: _covers, ...said } = message
  return said
}
