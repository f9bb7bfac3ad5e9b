import type {
  Action,
  Capabilities,
  Directive,
  Json,
  JsonObject,
  Manifest,
  Message,
  ModelInfo,
  ModelRequest,
  Observation,
  Reply,
  RunResult,
  Schema,
  Skill,
  Slot,
  Snapshot,
  Step,
  Task,
  Tool,
  ToolCall,
  View,
} from '@harnesswright/protocol'
import type { HookPoints, Turn } from '../hooks/hooks.js'

/** The `{{variables}}` of a template, as a union of their names. */
export type TemplateVariables<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | TemplateVariables<Rest>
  : never

/** Values for the variables of one prompt. */
export type PromptValues<Prompts, Name extends keyof Prompts> = {
  readonly [Variable in TemplateVariables<Prompts[Name] & string>]: string | number
}

/** The arguments of `ctx.prompt`: the name, and the variables where the prompt has any. */
export type PromptArguments<Prompts, Name extends keyof Prompts> = string extends keyof Prompts
  ? [name: string, values?: Readonly<Record<string, string | number>>]
  : string extends Prompts[Name]
    ? [name: Name, values?: Readonly<Record<string, string | number>>]
    : [TemplateVariables<Prompts[Name] & string>] extends [never]
      ? [name: Name]
      : [name: Name, values: PromptValues<Prompts, Name>]

/** What is left of the limits of the run and of every run above it. */
export interface Left {
  readonly steps: number
  /** Tokens, without the reserve for the closing answer. */
  readonly tokens: number
  readonly usd: number
  readonly ms: number
  readonly toolCalls: number
  readonly depth: number
}

/** What a module may see and do. Made once per run and module; what it shows is read-only, but for `state`. */
export interface Ctx<Options = unknown, State = unknown, Prompts = Readonly<Record<string, string>>> {
  readonly task: Task
  readonly options: Options
  /** The module's own state: JSON, and the only place where it may keep anything. */
  state: State
  /** A prompt of the module, or what the manifest put in its place, with its variables filled in. */
  prompt<Name extends keyof Prompts & string>(...args: PromptArguments<Prompts, Name>): string

  /** Step under way, from 1; 0 in `start`. */
  readonly step: number
  /** Path of the run in its tree: '' for the root. */
  readonly path: string
  /** Levels above the run. */
  readonly depth: number
  /** True in `start` when the run goes on from a snapshot. */
  readonly resumed: boolean
  readonly signal: AbortSignal

  /** System message, earlier turns and the task. */
  readonly head: readonly Message[]
  /** v_t: in `view` that of the tap before. */
  readonly view: View
  /** A request of this step was larger than the context window: in `view`, make it smaller than it was, or leave it. */
  readonly overflowed: boolean
  /** d_t: in `direct` that of the tap before. */
  readonly directive: Directive
  /** C_t: in `select` those of the tap before, without the tools that modules bring. */
  readonly capabilities: Capabilities
  /** The trajectory: every finished step. */
  readonly history: readonly Step[]
  readonly last: Step | undefined
  /** Records of child runs by path, outside the view. */
  readonly children: Readonly<Record<string, RunResult>>

  /** The environment's tools and skills. */
  readonly catalog: { readonly tools: readonly Tool[]; readonly skills: readonly Skill[] }
  /** Tools that this module brings. */
  readonly tools: readonly Tool[]
  /** Tools that modules bring, this one's too. */
  readonly brought: readonly Tool[]
  readonly manifest: Manifest

  readonly left: Left
  /** What is known of the run's model. */
  readonly modelInfo: ModelInfo
  /** What is known of all models of the environment: a child run may be given another. */
  readonly models: readonly ModelInfo[]
  /**
   * One metered model call. Several may be made at once.
   *
   * @throws HarnessError `E_RUN_LIMIT` when its bound does not fit what is left; `E_MODEL_*`; `E_RUN_EMPTY_REPLY`.
   */
  model(request: ModelRequest): Promise<Reply>
  /** Adds a user message to the history, marked with its kind. */
  note(kind: string, text: string): void
  /** Keeps a value for the whole tree; gives its artifact id. */
  put(value: Json): string
  /** The artifact of that id, if there is one. */
  get(id: string): Json | undefined
  /** A number in [0, 1) from a stream of this module and run. */
  random(): number
  /** The environment's clock in ms. */
  now(): number
  /** A line for people who watch; it changes nothing. */
  log(message: string): void
  /** An event of the module's own, for people who watch. */
  emit(event: string, data?: Json): void
  /** Tokens that these messages are likely to be. */
  estimate(messages: readonly Message[]): number
}

/** What a guard says of a call before it is made; nothing means allow. */
export type ToolDecision =
  | { readonly allow: true }
  | { readonly deny: true; readonly reason: string }
  | { readonly answer: Json }
  | { readonly ask: string }

/** What was made durable. */
export interface Checkpoint {
  /** What changed: whole values of states by module; the step that was finished; the call or child run that began or ended. */
  readonly delta: {
    readonly states: JsonObject
    readonly step?: Step
    /** Not told of calls that may be made again. */
    readonly started?: string
    readonly outcome?: Observation
  }
  /** The whole tree of runs, from which it can go on. */
  snapshot(): Snapshot
}

type Maybe<T> = T | undefined | Promise<T | undefined>
type Now<T> = T | Promise<T>

/** The verbs of a module: one per hook. A module may define any of them. */
export interface Verbs<Options, State, Prompts> {
  /** memory: v_t. */
  view?(ctx: Ctx<Options, State, Prompts>): Now<View>
  /** planning: d_t. */
  direct?(ctx: Ctx<Options, State, Prompts>): Now<Directive>
  /** capability: C_t. */
  select?(ctx: Ctx<Options, State, Prompts>): Now<Capabilities>
  /** action: e_t; the first one returned is taken. */
  act?(ctx: Ctx<Options, State, Prompts>): Maybe<Action>
  /** Absorbs the finished step: planning, capability, action, plugins, memory last. */
  record?(step: Step, ctx: Ctx<Options, State, Prompts>): Now<void>
  /** The best answer when a limit is hit; nothing means none. */
  finish?(reason: string, ctx: Ctx<Options, State, Prompts>): Maybe<Json>
  /** When a run starts, and when it is resumed. */
  start?(ctx: Ctx<Options, State, Prompts>): Now<void>
  /** When a run ends, however it ends; in reverse order, each on its own. */
  end?(result: RunResult, ctx: Ctx<Options, State, Prompts>): Now<void>
  /** The canonical request before each model call; nothing leaves it as it is. */
  modelRequest?(request: ModelRequest, ctx: Ctx<Options, State, Prompts>): Maybe<ModelRequest>
  /** The canonical reply after each model call; nothing leaves it as it is. */
  modelResponse?(reply: Reply, ctx: Ctx<Options, State, Prompts>): Maybe<Reply>
  /** A guard, before each call: the first decision holds, nothing allows. */
  toolCall?(call: ToolCall, ctx: Ctx<Options, State, Prompts>): Maybe<ToolDecision>
  /** Trims, redacts or annotates an observation; nothing leaves it as it is. */
  toolResult?(observation: Observation, ctx: Ctx<Options, State, Prompts>): Maybe<Observation>
  /** Recovers from a failure of a tap with a value of its hook, once. Never asked for limits, aborts and denials. */
  error?(error: Error, ctx: Ctx<Options, State, Prompts>): Maybe<{ readonly value: unknown }>
  /** When a step or an outcome has been made durable. */
  checkpoint?(checkpoint: Checkpoint, ctx: Ctx<Options, State, Prompts>): Now<void>
  /** The module's part of the system prompt. It changes only when it must. */
  system?(ctx: Ctx<Options, State, Prompts>): string
  /** Tools that the module brings, made once a run. They touch state, artifacts and the model only. */
  tools?(ctx: Ctx<Options, State, Prompts>): readonly Tool[]
}

/** When a tap runs among the others of its hook. */
export type StageName = 'guard' | 'early' | 'normal' | 'late' | 'audit'

/** What `defineModule` takes. */
export interface ModuleSpec<Options, State, Prompts> extends Verbs<Options, State, Prompts> {
  readonly slot: Slot
  /** One sentence: what the module does and when it helps. The meta-agent reads it. */
  readonly summary: string
  /** Options with defaults and `.describe()` texts. `.meta({ host: true })` marks what only the host may set. Default: none. */
  readonly options?: Schema<unknown, Options>
  /** Texts with `{{name}}` variables, which a manifest may replace. */
  readonly prompts?: Prompts
  /** Labels that other modules must provide. */
  readonly requires?: readonly string[]
  readonly provides?: readonly string[]
  /** Default `normal`. */
  readonly stage?: StageName
  /** Watches and changes nothing: left out of the manifest's identity. */
  readonly observer?: boolean
  /** Narrows the tool list from step to step, which costs the prompt cache. */
  readonly breaksPrefix?: boolean
  /** The first state. Write `null as string | null` where a field starts empty. */
  readonly state?: (init: { readonly options: Options }) => State
  /** Manifests the module may spawn, validated with the parent. */
  readonly spawns?: (options: Options) => readonly Manifest[]
  /** Raw taps, for what no verb does. `ctxOf` gives the module's ctx of the run under way. */
  readonly apply?: (hooks: HookPoints, ctxOf: (turn: Turn) => Ctx<Options, State, Prompts>) => void
}

/** A module with its types erased: what a package exports and a catalog holds. */
// biome-ignore lint/suspicious/noExplicitAny: the types of options, state and prompts are the author's, checked by defineModule
export type Module = ModuleSpec<any, any, any>
