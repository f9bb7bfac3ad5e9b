import {
  copyJson,
  HarnessError,
  type Json,
  type Message,
  type ModelRequest,
  type Reply,
  renderTemplate,
  type Tool,
} from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'
import type { Ctx, Left } from '../module/module.js'
import { callModel } from './model-call.js'
import type { RunState } from './run-state.js'

export function leftOf(run: RunState): Left {
  const { limits, meter } = run
  return {
    steps: Math.max(0, limits.steps - run.steps.length),
    tokens: meter.leftTokens(),
    usd: meter.leftUsd(),
    ms: run.leftMs(),
    toolCalls: Math.max(0, limits.toolCalls - meter.spent(0).toolCalls),
    depth: Math.max(0, limits.depth - run.depth),
  }
}

/** Where each field of ctx is read that the run or the turn under way has: at every look. */
const FIELDS = {
  task: (run) => run.task,
  step: (run) => run.turn.step,
  path: (run) => run.path,
  depth: (run) => run.depth,
  resumed: (run) => run.isResumed,
  signal: (run) => run.gate.signal,
  head: (run) => run.head,
  view: (run) => run.turn.view,
  overflowed: (run) => run.turn.overflowed,
  directive: (run) => run.turn.directive,
  capabilities: (run) => run.turn.capabilities,
  history: (run) => run.steps,
  last: (run) => run.steps.at(-1),
  children: (run) => run.children,
  catalog: (run) => ({ tools: run.tools, skills: run.env.skills }),
  brought: (run) => run.brought,
  manifest: (run) => run.harness.manifest,
  left: leftOf,
  modelInfo: (run) => run.env.model(),
  models: (run) => run.env.models(),
} satisfies { readonly [Name in keyof Ctx]?: (run: RunState) => Ctx[Name] }

/** What one module of one run sees. */
class RunCtx {
  static {
    for (const [name, read] of Object.entries(FIELDS)) {
      const get = function (this: RunCtx): unknown {
        return read(this.#run)
      }
      Object.defineProperty(RunCtx.prototype, name, { enumerable: true, get })
    }
  }

  readonly options: unknown
  readonly #run: RunState
  readonly #mount: Mount
  #tools: readonly Tool[] | undefined

  constructor(run: RunState, mount: Mount) {
    this.options = mount.options
    this.#run = run
    this.#mount = mount
  }

  get state(): object {
    return this.#run.states.get(this.#mount.key)
  }

  set state(state: object) {
    this.#run.states.set(this.#mount.key, state)
  }

  /** Made at the first look and kept for the run, so that a tool is one object at every step. */
  get tools(): readonly Tool[] {
    const { key, module } = this.#mount
    const make = (): readonly Tool[] => module.tools?.(this as unknown as Ctx) ?? [] // its other fields are on the prototype
    this.#tools ??= attributed(this.#mount, 'tools', this.#run.turn.step, make).map((tool) =>
      Object.freeze({ ...tool, owner: key }),
    )
    return this.#tools
  }

  // Fields, so that a module may take them apart.
  readonly prompt = (name: string, values: Readonly<Record<string, string | number>> = {}): string => {
    const { prompts, use, slot } = this.#mount
    const template = Object.hasOwn(prompts, name) ? prompts[name] : undefined
    if (template !== undefined) return renderTemplate(template, values)
    const message = `${use} has no prompt "${name}".`
    throw new HarnessError('E_RUN_PROMPT', { message, slot, module: use, step: this.#run.turn.step })
  }
  readonly model = (request: ModelRequest): Promise<Reply> => {
    const reply = callModel(this.#run, this.#mount.key, request)
    return this.#run.bracket === undefined ? reply : this.#run.bracket.without(reply)
  }
  readonly note = (kind: string, text: string): void => {
    this.#run.turn.notes.push(this.#run.clean({ role: 'user', content: text, note: kind }))
    this.#run.emit(() => ({ type: 'note', kind, text, by: this.#mount.key }))
  }
  readonly put = (value: Json): string => this.#run.put(value)
  readonly get = (id: string): Json | undefined => this.#run.get(id)
  readonly random = (): number => this.#run.random(this.#mount.key)
  readonly now = (): number => this.#run.env.clock.now()
  readonly log = (message: string): void => this.emit('log', message)
  readonly emit = (name: string, data?: Json): void => {
    const copied = data === undefined ? {} : { data: copyJson(data) } // now, so that a reader makes no difference
    this.#run.emit(() => ({ type: 'custom', name, by: this.#mount.key, ...copied }))
  }
  readonly estimate = (messages: readonly Message[]): number =>
    this.#run.sizes.estimate(messages, this.#run.env.model())
}

/** What one module of one run sees. Made once. */
export function createCtx(run: RunState, mount: Mount): Ctx {
  return new RunCtx(run, mount) as unknown as Ctx // the fields that are read from the run are on its prototype
}
