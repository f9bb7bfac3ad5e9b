import type { Mount } from '../assemble/mount.js'
import { HarnessError } from '../errors/error.js'
import type { Ctx, Left } from '../module/module.js'
import { renderTemplate } from '../module/template.js'
import type {
  Capabilities,
  Directive,
  Json,
  Manifest,
  Message,
  ModelInfo,
  ModelRequest,
  Reply,
  RunResult,
  Skill,
  Step,
  Task,
  Tool,
  View,
} from '../protocol/index.js'
import { callModel } from './model-call.js'
import type { RunState } from './run-state.js'

/** What one module of one run sees. Made once; it reads the turn that is under way. */
export class ModuleCtx implements Ctx {
  readonly #run: RunState
  readonly #mount: Mount
  #tools: readonly Tool[] | undefined
  resumed = false

  constructor(run: RunState, mount: Mount) {
    this.#run = run
    this.#mount = mount
  }

  get task(): Task {
    return this.#run.task
  }
  get options(): unknown {
    return this.#mount.options
  }
  get state(): object {
    return this.#run.states.get(this.#mount.key)
  }
  set state(state: object) {
    this.#run.states.set(this.#mount.key, state)
  }
  get step(): number {
    return this.#run.turn.step
  }
  get path(): string {
    return this.#run.path
  }
  get depth(): number {
    return this.#run.depth
  }
  get signal(): AbortSignal {
    return this.#run.gate.signal
  }
  get head(): readonly Message[] {
    return this.#run.head
  }
  get view(): View {
    return this.#run.turn.view
  }
  get directive(): Directive {
    return this.#run.turn.directive
  }
  get capabilities(): Capabilities {
    return this.#run.turn.capabilities
  }
  get history(): readonly Step[] {
    return this.#run.steps
  }
  get last(): Step | undefined {
    return this.#run.steps.at(-1)
  }
  get children(): Readonly<Record<string, RunResult>> {
    return this.#run.children
  }
  get catalog(): { readonly tools: readonly Tool[]; readonly skills: readonly Skill[] } {
    return { tools: this.#run.tools, skills: this.#run.env.skills }
  }
  get brought(): readonly Tool[] {
    return this.#run.brought
  }
  get manifest(): Manifest {
    return this.#run.harness.manifest
  }
  get modelInfo(): ModelInfo {
    return this.#run.modelInfo
  }
  get left(): Left {
    const { limits, meter, steps, depth } = this.#run
    return {
      steps: Math.max(0, limits.steps - steps.length),
      tokens: meter.leftTokens(),
      usd: meter.leftUsd(),
      ms: this.#run.leftMs(),
      toolCalls: Math.max(0, limits.toolCalls - meter.spent(0).toolCalls),
      depth: Math.max(0, limits.depth - depth),
    }
  }

  /** Tools of this module, made at the first look and kept for the run. */
  get tools(): readonly Tool[] {
    this.#tools ??= (this.#mount.module.tools?.(this) ?? []).map((tool) =>
      Object.freeze({ ...tool, owner: this.#mount.key }),
    )
    return this.#tools
  }

  prompt(name: string, values: Readonly<Record<string, string | number>> = {}): string {
    const template = this.#mount.prompts[name]
    if (template === undefined) {
      throw new HarnessError('E_RUN_PROMPT', {
        message: `${this.#mount.use} has no prompt "${name}".`,
        ...this.#place(),
      })
    }
    return renderTemplate(template, values)
  }

  model(request: ModelRequest): Promise<Reply> {
    return callModel(this.#run, this.#mount.key, request)
  }

  note(kind: string, text: string): void {
    const { turn } = this.#run
    turn.notes.push({ role: 'user', content: text, note: kind })
    this.#run.emit(() => ({ type: 'note', kind, text, by: this.#mount.key }))
  }

  put(value: Json): string {
    return this.#run.put(value)
  }
  get(id: string): Json | undefined {
    return this.#run.env.artifacts.get(id)
  }
  random(): number {
    return this.#run.random(this.#mount.key)
  }
  now(): number {
    return this.#run.env.clock.now()
  }
  log(message: string): void {
    this.emit('log', message)
  }
  emit(name: string, data?: Json): void {
    this.#run.emit(() => ({ type: 'custom', name, by: this.#mount.key, ...(data === undefined ? {} : { data }) }))
  }
  estimate(messages: readonly Message[]): number {
    return this.#run.sizes.estimate(messages, this.#run.modelInfo)
  }

  #place(): { slot: string; module: string; step: number } {
    return { slot: this.#mount.slot, module: this.#mount.use, step: this.step }
  }
}
