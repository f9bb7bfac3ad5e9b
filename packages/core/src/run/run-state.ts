import {
  AbortGate,
  chargedBelow,
  copyJson,
  type EventBody,
  EventStream,
  fenceOf,
  freezeJson,
  type HarnessEvent,
  isClean,
  isHarnessError,
  type Json,
  type Limits,
  type Manifest,
  type Message,
  Meter,
  mapTexts,
  mixSeed,
  openingMessages,
  type Random,
  type Records,
  RequestSizes,
  type RunFacts,
  type RunResult,
  type Snapshot,
  type Step,
  type Task,
  type Tool,
  wellFormed,
} from '@harnesswright/protocol'
import type { Mount } from '../assemble/mount.js'
import { inSlotOrder, SYSTEM_ORDER } from '../assemble/verbs.js'
import type { Environment } from '../environment/environment.js'
import type { Hooks } from '../hooks/hooks.js'
import type { Ctx } from '../module/module.js'
import type { Bracket } from './bracket.js'
import { createCtx } from './ctx.js'
import { restoreRun } from './restore.js'
import { StateStore } from './state-store.js'
import { LiveTurn } from './turn.js'

/** What the kernel reads of a harness. */
export interface HarnessCore {
  readonly manifest: Manifest
  readonly manifestId: string
  readonly harnessId: string
  readonly mounts: readonly Mount[]
  readonly hooks: Hooks
  /** What was left out when the harness was assembled, for every run's warnings. */
  readonly warnings: readonly string[]
  /** The harness of a child run: another manifest, or a change of this one. Assembled once for each. */
  child(manifest: Manifest | ({ readonly extends: 'self' } & Partial<Manifest>)): Promise<HarnessCore>
}

/** What the runs of one tree share. */
export interface Tree {
  /** What is durable, by path. */
  readonly runs: Records
  readonly artifacts: Map<string, Json>
  readonly events: EventStream
  /** Answers of a person, by the id of the question. */
  readonly answers: Readonly<Record<string, Json>>
}

/** What a run is started with. */
export interface RunSetup {
  readonly harness: HarnessCore
  readonly env: Environment
  readonly task: Task
  readonly limits: Limits
  readonly seed: number
  readonly signal: AbortSignal | undefined
  /** Of a child run. */
  readonly parent?: RunState
  readonly path?: string
  /** What the run goes on from. */
  readonly saved?: Snapshot
  readonly answers?: Readonly<Record<string, Json>>
}

/** Everything a run stands on: its trajectory, its states, its meter. Only the kernel writes here. */
export class RunState {
  readonly harness: HarnessCore
  readonly env: Environment
  readonly task: Task
  readonly limits: Limits
  readonly seed: number
  readonly path: string
  readonly depth: number
  readonly session: string
  readonly startedAt: number
  readonly gate: AbortGate
  readonly meter: Meter
  readonly sizes: RequestSizes
  readonly states: StateStore
  readonly tree: Tree
  readonly isResumed: boolean
  readonly fence: string
  readonly warnings: string[] = []
  /** The trajectory: a new list at each step, so that a module's look at it stays what it was. */
  steps: readonly Step[] = []
  /** Modules that have a system section, in the order of their sections. */
  readonly speakers: readonly Mount[]
  readonly children: Record<string, RunResult> = {}
  readonly artifacts: string[] = []
  /** Texts of calls whose arguments could not be read, by call id. */
  readonly brokenArguments: Map<string, string> = new Map()
  readonly callIds: Set<string> = new Set()
  readonly toolCounts: Map<string, number> = new Map()
  /** Numbers taken, by random stream. */
  readonly randoms: Map<string, number> = new Map()
  /** Tools in the order in which requests have offered them: the list sent only grows. */
  readonly wireTools: Map<string, Tool> = new Map()
  readonly tools: readonly Tool[]
  brought: readonly Tool[] = []
  /** Some result was cut: `read_result` is on offer from then on. */
  hasCutResults = false
  head: readonly Message[]
  /** Messages that may be sent as they are. */
  readonly cleanMessages: WeakSet<Message> = new WeakSet()
  /** Messages of the finished steps. */
  readonly history: Message[] = []
  turn: LiveTurn
  /** Of the tool of a module that is at work. */
  bracket: Bracket | undefined
  /** The closing answer is sought: requests may use the reserve. */
  isFinishing = false
  /** Facts that have changed since they were last made durable. */
  readonly changed: Set<keyof RunFacts> = new Set()
  /** Artifacts that are not durable yet. */
  readonly newArtifacts: [id: string, value: Json][] = []
  readonly #secrets: readonly string[]
  /** The secrets as they stand inside JSON. */
  readonly #escaped: readonly string[]
  /** Found clean. What has been handed to the kernel is not changed. */
  readonly #clean: WeakSet<object> = new WeakSet()
  readonly #ctxs: Map<string, Ctx> = new Map()
  readonly #streams: Map<string, Random> = new Map()

  constructor({ harness, env, task, limits, seed, signal, parent, path = '', saved, answers = {} }: RunSetup) {
    this.harness = harness
    this.env = env
    this.task = this.#handOut(task)
    this.limits = limits
    this.#secrets = spellings(env.secrets)
    this.#escaped = [...new Set(this.#secrets.map(escaped))]
    this.seed = seed
    this.path = path
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.fence = fenceOf(seed, path)
    const record = saved?.runs[path]
    this.isResumed = record !== undefined && (record.steps.length > 0 || record.pending !== undefined) // `start` is durable with these
    this.session = record?.opening.session ?? (parent === undefined ? env.newId() : `${parent.session}/${path}`)
    this.startedAt = env.clock.now() - (record?.ms ?? 0)
    this.gate = new AbortGate(signal)
    this.tree = parent?.tree ?? {
      runs: copyJson(saved?.runs ?? {}) as unknown as Records, // a copy of records
      artifacts: new Map(
        Object.values((saved as Snapshot | undefined)?.runs ?? {}).flatMap((run) => Object.entries(run.artifacts)),
      ),
      events: new EventStream(env.observe, (message) => this.warn(message)),
      answers,
    }
    this.sizes = new RequestSizes(env)
    this.tools = env.tools
    this.states = new StateStore(harness.mounts)
    this.speakers = inSlotOrder(harness.mounts, SYSTEM_ORDER).filter(({ module }) => module.system !== undefined)
    for (const message of task.messages ?? []) for (const call of message.toolCalls ?? []) this.callIds.add(call.id)
    if (record !== undefined) restoreRun(this, record)
    this.meter = new Meter(limits, parent?.meter, ...chargedBelow(this.tree.runs, path))
    this.head = this.#handOut(openingMessages(task, this))
    this.turn = new LiveTurn(this, this.steps.length)
  }

  get events(): EventStream {
    return this.tree.events
  }

  ctx(mount: Mount): Ctx {
    return kept(this.#ctxs, mount.key, () => createCtx(this, mount))
  }

  random(key: string): number {
    const taken = this.randoms.get(key) ?? 0
    const stream = kept(this.#streams, key, () => {
      const first = this.env.random(mixSeed(this.seed, this.path, key))
      for (let again = 0; again < taken; again++) first.next()
      return first
    })
    this.randoms.set(key, taken + 1)
    this.changed.add('random')
    return stream.next()
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

  /** What modules are shown is frozen in strict mode. */
  #handOut<T>(value: T): T {
    return this.env.strict ? freezeJson(value) : value
  }

  headAndHistory(): readonly Message[] {
    return [...this.head, ...this.history]
  }

  /** Adds a finished step, which is clean, to the trajectory. */
  append(step: Step): void {
    this.gate.signal.throwIfAborted()
    this.steps = this.#handOut([...this.steps, step])
    for (const message of step.messages) this.cleanMessages.add(message)
    this.history.push(...step.messages)
  }

  /** Brings the last step up to date with what was done in `record`; its notes, which are clean, come after its messages. */
  finishLast(notes: readonly Message[], fields: Partial<Step>): void {
    const last = this.steps.at(-1)
    if (last === undefined) return
    const { index, messages } = last
    const added = notes.map((note, at) => ({ ...note, id: `${index}.${messages.length + at}`, step: index }))
    this.steps = this.#handOut(this.steps.with(-1, { ...last, ...fields, messages: [...messages, ...added] }))
    this.history.push(...added)
  }

  /** Keeps a value for the whole tree. `id` is unique in the run; the path of the run comes before it. */
  put(value: Json, id: string = `a${this.artifacts.length + 1}`): string {
    const whole = this.path === '' ? id : `${this.path}/${id}`
    const copy = this.clean(copyJson(value))
    this.tree.artifacts.set(whole, copy)
    this.env.artifacts.put(whole, copy)
    this.newArtifacts.push([whole, copy])
    this.changed.add('artifacts')
    if (!this.artifacts.includes(whole)) this.artifacts.push(whole)
    return whole
  }

  /** An artifact of this tree, else of the host: not one of another tree that has the same id. */
  get(id: string): Json | undefined {
    return this.tree.artifacts.get(id) ?? this.env.artifacts.get(id)
  }

  warn(message: string, module?: string): void {
    this.warnings.push(this.clean(message))
    this.changed.add('warnings')
    this.emit(() => ({ type: 'warning', message, ...(module === undefined ? {} : { module }) }))
  }

  emit(body: () => EventBody): void {
    if (!this.events.isRead) return
    const event = body() as Record<string, unknown>
    for (const name in event) {
      const told = this.clean(event[name])
      if (told !== event[name]) event[name] = told
    }
    event['path'] = this.path
    event['step'] = this.turn.step
    event['at'] = this.env.clock.now()
    this.events.emit(event as unknown as HarnessEvent) // of the same shape
  }

  /** Time used so far in ms, also before the run was resumed. */
  usedMs(): number {
    return this.env.clock.now() - this.startedAt
  }

  /** Time left in ms. */
  leftMs(): number {
    return Math.max(0, this.limits.ms - this.usedMs())
  }

  /** The tree as JSON, each run at its last durable point. */
  snapshot(): Snapshot {
    return copyJson({ version: 1, runs: this.tree.runs }) as unknown as Snapshot // a copy of a snapshot
  }

  /** The value as it may be recorded: without lone surrogates, and with every secret of the environment replaced. */
  clean<T>(value: T): T {
    if (typeof value === 'string') return this.#cleanText(value) as T & string
    if (typeof value !== 'object' || value === null || this.#clean.has(value)) return value
    const cleaned = this.#cleaned(value)
    this.#clean.add(cleaned)
    return cleaned
  }

  #cleaned<T>(value: T): T {
    return isClean(value, this.#escaped) ? value : mapTexts(value, (text) => this.#cleanText(text))
  }

  #cleanText(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), wellFormed(text))
  }

  /** An abort, told apart from a failure. */
  isAbort(error: unknown): boolean {
    return this.gate.signal.aborted && isHarnessError(error) && error.code === 'E_RUN_ABORTED'
  }
}

/** Each secret as it is and as it stands inside JSON, the longest first, so that none leaves its end behind. */
function spellings(secrets: readonly string[]): readonly string[] {
  const all = secrets.flatMap((secret) => (secret === '' ? [] : [secret, escaped(secret)]))
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

/** The text as it stands inside JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
