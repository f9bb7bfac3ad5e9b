import type { Tool } from '@harnesswright/core'

/**
 * The same tool with a latency: after each call that many ms pass on the environment's clock.
 *
 * @param tool - The tool; it is not changed.
 * @param latencyMs - Simulated time of one call in ms. A latency that the tool states itself is replaced.
 */
export function withLatency(tool: Tool, latencyMs: number): Tool {
  return Object.freeze({ ...tool, latencyMs })
}
