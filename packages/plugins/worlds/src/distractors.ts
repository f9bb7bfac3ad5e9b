import type { Tool } from '@harnesswright/core'
import { FILE_LATENCY_MS } from './constants.js'

/** What the distractors do, with the parameter they take. */
const VERBS = [
  ['read', 'day'],
  ['search', 'name'],
  ['list', 'room'],
  ['write', 'title'],
  ['send', 'recipient'],
  ['book', 'date'],
  ['convert', 'amount'],
  ['count', 'year'],
] as const

/** What they do it to. */
const NOUNS = ['calendar', 'contacts', 'meetings', 'memo', 'invoices', 'bulletin', 'vehicles', 'badges'] as const

/**
 * Tools of an office that no task needs: they take a value, and say truthfully that there is nothing under it.
 *
 * The first four share their verbs with the tools of a workspace, so that there is something to confuse.
 */
export function createDistractors(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => createDistractor(index))
}

function createDistractor(index: number): Tool {
  const turn = Math.floor(index / VERBS.length)
  const [verb, parameter] = VERBS[index % VERBS.length] as (typeof VERBS)[number]
  const noun = NOUNS[(index + turn) % NOUNS.length] as string
  return Object.freeze({
    name: `${verb}_${noun}`,
    description: `Works on the ${noun} of the office: ${verb}s by ${parameter}.`,
    parameters: {
      type: 'object',
      properties: { [parameter]: { type: 'string', description: `The ${parameter}.` } },
      required: [parameter],
      additionalProperties: false,
    },
    readOnly: true,
    idempotent: true,
    latencyMs: FILE_LATENCY_MS,
    execute: (args: Readonly<Record<string, string>>) => `The ${noun} hold nothing for "${args[parameter]}".`,
  })
}
