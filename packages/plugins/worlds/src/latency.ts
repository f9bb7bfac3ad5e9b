import type { Tool } from '@harnesswright/core'

/**
 * Simulated time of one call of a tool in ms: one for all tools, or by the name of the tool, with `usual` for those that
 * are not named.
 */
export type ToolLatency = number | (Readonly<Record<string, number>> & { readonly usual: number })

/**
 * The same tool with a latency: after each call that many ms pass on the environment's clock.
 *
 * @param tool - The tool; it is not changed.
 * @param latency - Simulated time of one call in ms, or such times by the name of the tool. A latency that the tool states
 * itself is replaced.
 */
export function withLatency(tool: Tool, latency: ToolLatency): Tool {
  return Object.freeze({ ...tool, latencyMs: latencyOf(tool.name, latency) })
}

function latencyOf(name: string, latency: ToolLatency): number {
  if (typeof latency === 'number') return latency
  return Object.hasOwn(latency, name) ? (latency[name] ?? latency.usual) : latency.usual
}
