import type { Message, Model, ModelRequest, ModelResponse, Tool } from '@harnesswright/core'
import { PROFILES, type SimParameters } from '../src/profiles.js'
import { createModel } from '../src/sim-model.js'

/** A profile on which nothing goes wrong and nothing is too much. */
const IDEAL: SimParameters = {
  ...PROFILES['sim-mid'],
  windowTokens: 1_000_000,
  horizon: 1_000,
  lose: 0,
  r0: 1,
  far: 0,
  fill: 0,
  note: 1,
  keep: 1,
  garble: 0,
  planOmit: 0,
  slip: 0,
  premature: 0,
  malformed: 0,
  halluc: 0,
  loop: 0,
  confuse: 0,
  spont: 0,
}

/** The ideal model, with these parameters instead of its own. */
export function anIdealModel(change: Partial<SimParameters> = {}): Model {
  return createModel('sim-ideal', { ...IDEAL, ...change }, 1)
}

/** The statement of a quote task with these suppliers. */
export function aQuoteTask(suppliers: readonly string[]): string {
  const lists = suppliers.map((name) => `lists/${name.toLowerCase()}.csv (${name})`).join(', ')
  return `Work out the quote for the order in order.txt and write it to answer.json. The price lists are: ${lists}. Then answer with the sum.`
}

/** The statement of a log task with that many parts. */
export function aLogTask(parts: number): string {
  return `The plant log lies in ${parts} parts, log/part-01.txt to log/part-${String(parts).padStart(2, '0')}.txt. List every incident.`
}

/** The statement of a chain of that many visits, which begins with Ada Moreno. */
export function aChainTask(visits: number): string {
  return `Make ${visits} visits, one after another, and find out the badge of the last. Visit 1 is Ada Moreno (people/ada-moreno.txt).`
}

/** The statement of a search for the heights of these towers. */
export function aHeightTask(towers: readonly string[]): string {
  const names = towers.length < 2 ? towers[0] : `${towers.slice(0, -1).join(', ')} and ${towers.at(-1)}`
  return `List the heights of ${towers.length} towers: ${names}. A gazetteer lies in pages/.`
}

/** An order of brass tees. */
export const ORDER = 'Order 1\nApproved suppliers: Halden and Borm\nLines: 1\n\n1. 10 pieces of brass tee\n'

/** A price list of one item. */
export function aList(supplier: string, eur: string): string {
  return `supplier,item,eur per piece\n${supplier},brass tee,${eur}\n`
}

/** Tools of a workspace, which are described and not run. */
export const TOOLS: readonly Tool[] = [
  aTool('list_files', 'path'),
  aTool('read_file', 'path'),
  aTool('write_file', 'path', 'content'),
  aTool('search_files', 'query'),
]

/** A tool with text parameters, all required. */
export function aTool(name: string, ...required: readonly string[]): Tool {
  const properties = Object.fromEntries(required.map((parameter) => [parameter, { type: 'string' }]))
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties, required }, execute: () => '' }
}

/** A system message and a task. */
export function aHead(task: string): readonly Message[] {
  return [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: task },
  ]
}

/** A call and what it brought. */
export function anExchange(name: string, args: object, result: string): readonly Message[] {
  const id = `${name} ${JSON.stringify(args)} ${result.length}`
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
    { role: 'tool', callId: id, content: result },
  ]
}

/** A file that was read. */
export function aReading(path: string, text: string): readonly Message[] {
  return anExchange('read_file', { path }, text)
}

/** Asks for the next act, or what the change says. */
export function ask(
  model: Model,
  messages: readonly Message[],
  change: Partial<ModelRequest> = {},
): Promise<ModelResponse> {
  const request = { purpose: 'act', messages, tools: TOOLS, seed: 1, ...change }
  return model.generate(request, { signal: new AbortController().signal })
}

/** The files that a reply reads or writes. */
export function pathsOf(reply: ModelResponse): readonly string[] {
  return (reply.toolCalls ?? []).map((call) => `${call.name} ${(JSON.parse(call.arguments) as { path?: string }).path}`)
}
