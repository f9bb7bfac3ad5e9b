import type { Json, Tool, ToolContext } from '@harnesswright/core'

/** The context of a call, as the kernel would give it. */
function makeContext(context: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'c1_1',
    signal: new AbortController().signal,
    workspace: 'main',
    path: '',
    step: 1,
    put: () => 'a1',
    get: () => undefined,
    ...context,
  }
}

/** Calls a tool by its name. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: Json,
  context: Partial<ToolContext> = {},
): Promise<Json> {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return await tool.execute(args, makeContext(context))
}
