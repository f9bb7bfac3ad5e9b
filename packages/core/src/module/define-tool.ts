import type { Json, JsonSchema, Schema, SchemaIssue, Tool, ToolContext } from '@harnesswright/protocol'

/** What `defineTool` takes: a tool whose arguments are typed by a schema. */
export interface ToolSpec<Input> extends Omit<Tool, 'parameters' | 'execute' | 'owner'> {
  /** Schema of the arguments, an object. */
  readonly input: Schema<unknown, Input>
  /** Does the work with the parsed arguments. */
  execute(args: Input, ctx: ToolContext): Promise<Json> | Json
}

/**
 * Declares a tool with typed arguments: the model sees the JSON Schema of `input`, `execute` gets what it parses to.
 *
 * @example
 * ```ts
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 *   readOnly: true,
 * })
 * ```
 */
export function defineTool<Input>(spec: ToolSpec<Input>): Tool {
  const { input, execute, ...rest } = spec
  const standard = input['~standard']
  const parameters: JsonSchema = standard.jsonSchema.input({ target: 'draft-2020-12' })
  return Object.freeze({
    ...rest,
    parameters,
    async execute(args: unknown, ctx: ToolContext): Promise<Json> {
      const parsed = await standard.validate(args)
      if (parsed.issues !== undefined) throw new TypeError(parsed.issues.map(describeIssue).join('; '))
      return await execute(parsed.value, ctx)
    },
  })
}

function describeIssue({ message, path = [] }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`
}
