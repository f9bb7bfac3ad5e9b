import type { Json, JsonSchema } from './json.js'

/** What a tool gets beside its arguments. */
export interface ToolContext {
  readonly callId: string
  /** Aborted with the run, and when the tool's time is up. */
  readonly signal: AbortSignal
  /** The run's workspace, an id known to the environment's `workspaces`. */
  readonly workspace: string | undefined
  /** Path of the run in its tree: '' for the root. */
  readonly path: string
  /** Step of the run, from 1. */
  readonly step: number
  /** Keeps a value for the whole tree; gives its artifact id. */
  put(value: Json): string
  /** The artifact of that id, if there is one. */
  get(id: string): Json | undefined
}

/** Something the model may call. A failure of any kind becomes an observation that the model can read. */
export interface Tool {
  /** Unique in a harness. Any text: model plugins map it to what their endpoint takes, and back. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonSchema
  /** Does the work. The result is text, or a value that is shown as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments were checked against `parameters`; `defineTool` gives them a type
  execute(args: any, ctx: ToolContext): Promise<Json> | Json
  /** Changes nothing: such calls of one step run at once, and may be made again. Default false. */
  readonly readOnly?: boolean
  /** May be made again when it is not known whether it was made. Default false. */
  readonly idempotent?: boolean
  /** Time for one call in ms. Default 120,000. */
  readonly timeoutMs?: number
  /** Longest result in characters. Default 32,000: 16,000 of the head, 8,000 of the tail, the rest as an artifact. */
  readonly maxResultChars?: number
  /** Time in ms that passes on the environment's clock after the work. Only simulated tools have it. Default 0. */
  readonly latencyMs?: number
  /** Set by the kernel: the module that brought the tool, as `<slot>.<index>`. Absent: the environment's. */
  readonly owner?: string
}
