import { type Message, renderHeading } from '@harnesswright/core'
import { type Replaced, replaceSteps, standingNotes, stepsOf, transcriptOf } from '@harnesswright/seed-react/view'
import type { Graph, Range, ThoughtNode } from './graph.js'

/** The view from the graph: a line of what was flushed and the note of what was folded stand for their steps. */
export function viewOf(messages: readonly Message[], { nodes }: Graph, flushChars: number): readonly Message[] {
  const standing = new Set(standingNotes(messages))
  const seen = new Set(stepsOf(messages))
  const stretches = nodes.filter(isSettled).flatMap((node) => stretchesOf(node, seen, flushChars))
  return replaceSteps(messages, stretches, (message) => standing.has(message))
}

/** True when the steps of a thought do not stand in view as they are. */
export function isSettled({ kind, isFlushed }: ThoughtNode): boolean {
  return kind === 'note' || isFlushed
}

/** Its ranges; the first that has a step in view is where it is told, the others just go. */
function stretchesOf(node: ThoughtNode, seen: ReadonlySet<number>, flushChars: number): readonly Replaced[] {
  const told = node.ranges.find((range) => stepsIn(range).some((step) => seen.has(step)))
  return node.ranges.map((range) => {
    const [first, last] = range
    return range === told ? { first, last, message: messageOf(node, range, flushChars) } : { first, last }
  })
}

function messageOf({ id, text, isFlushed }: ThoughtNode, [first, last]: Range, flushChars: number): Message {
  const cut = text.slice(0, flushChars).replace(/[\ud800-\udbff]$/, '')
  const said = isFlushed && cut.length < text.length ? `${cut}…` : text
  return { role: 'user', content: `${renderHeading('Node', id)} ${said}`, note: 'thought', covers: [first, last] }
}

function stepsIn([first, last]: Range): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/** The thoughts, one a line, each with its steps and what it follows from. */
export function listNodes({ nodes, edges }: Graph): string {
  return nodes
    .map(({ id, kind, text, ranges, isFlushed }) => {
      const steps = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ')
      const from = edges.filter(({ to }) => to === id).map((edge) => edge.from)
      const after = from.length === 0 ? '' : `, follows from ${from.join(', ')}`
      return `${renderHeading('Node', id)} (${isFlushed ? 'flushed' : kind}, steps ${steps}${after}) ${text}`
    })
    .join('\n')
}

/** Steps as text, each under its heading. */
export function writeSteps(messages: readonly Message[], steps: readonly number[]): string {
  return steps
    .map((step) => `${renderHeading('Step', step)}\n${transcriptOf(messages.filter((one) => one.step === step))}`)
    .join('\n')
}
