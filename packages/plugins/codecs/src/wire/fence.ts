import { mixSeed } from '@harnesswright/core'

/** Name of the tags around what tools give back, the same for all requests of a run. */
export function fenceOf(seed: number = 0): string {
  return `observation-${mixSeed(seed, 'observation').toString(36)}`
}

/** A text in tags that nothing in it can open or close: where it has their name, that name is broken. */
export function fenceText(text: string, fence: string, label: string): string {
  const inside = text.replaceAll(fence, `${fence.slice(0, -1)}…`)
  return `<${fence}${label}>\n${inside}\n</${fence}>`
}

/** Which call an observation answers, as attributes. */
export function labelOf(tool: string, number: number): string {
  return ` tool=${JSON.stringify(tool).replace(/[<>]/g, '?')} call="${number}"`
}
