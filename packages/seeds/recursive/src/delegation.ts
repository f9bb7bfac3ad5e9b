import type { Step, Tool, ToolCall } from '@harnesswright/core'
import * as z from 'zod'

/** Name of the tool that gives a piece of work to another agent. */
export const DELEGATE = 'delegate'

/** Name of the tool with which a sub-agent says that it cannot go on. */
export const BLOCKED = 'report_blocked'

const delegation = z.object({
  instruction: z.string().trim().min(1),
  context: z.string().trim().default(''),
  tools: z.array(z.string()).default([]),
  model: z.string().trim().default(''),
})

/** A piece of work for another agent. */
export type Delegation = z.output<typeof delegation>

/**
 * The delegation that a call makes; undefined where it makes none, or one that cannot be read: it is then checked, and told what is
 * wrong, as any call is.
 *
 * @param models - Those that may be named.
 */
export function readDelegation({ name, arguments: text }: ToolCall, models: readonly string[]): Delegation | undefined {
  if (name !== DELEGATE) return undefined
  const { data } = delegation.safeParse(JSON.parse(text)) // a call's arguments are always the text of an object
  return data === undefined || data.model === '' || models.includes(data.model) ? data : undefined
}

/** What a sub-agent reports that is blocked; undefined for any other call. */
export function readReport({ name, arguments: text }: ToolCall): string | undefined {
  if (name !== BLOCKED) return undefined
  const { notes } = JSON.parse(text) as { readonly notes?: unknown }
  return typeof notes === 'string' && notes.trim() !== '' ? notes.trim() : undefined
}

/** How often an instruction was delegated, in whatever spacing and case. */
export function countTries(history: readonly Step[], instruction: string): number {
  const runs = history.flatMap(({ action }) => (action.kind === 'spawn' ? action.runs : []))
  return runs.filter(({ task }) => isSameInstruction(task.instruction, instruction)).length
}

/** Whether two instructions are the same, in whatever spacing and case. */
export function isSameInstruction(one: string, other: string): boolean {
  const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')
  return plain(one) === plain(other)
}

/** What the tool takes, as the model is told. */
export function delegateParameters(models: readonly string[]): Tool['parameters'] {
  const text = (description: string) => ({ type: 'string', description })
  return {
    type: 'object',
    properties: {
      instruction: text('What is to be done, in words that stand alone, with every name in full.'),
      context: text('What the agent must know: facts, and headings of results to hand on whole, as in [Result 3].'),
      tools: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of the tools it may use. Left out: all.',
      },
      ...(models.length === 0 ? {} : { model: { enum: models, description: 'Model to use. Left out: the same.' } }),
    },
    required: ['instruction'],
    additionalProperties: false,
  }
}
