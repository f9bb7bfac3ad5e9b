import type { Ctx } from '@harnesswright/core'
import * as z from 'zod'
import { type AloneState, reactPrompts } from './act-alone.js'

export const options = z.strictObject({
  acts: z
    .boolean()
    .default(false)
    .describe('Let the agent use the tools of the environment too. Its sub-agents always do; it only delegates.'),
  concurrency: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('Most sub-agents that work at once; never more than limits.concurrency.')
    .meta({ buckets: [1, 4, 8] }),
  tries: z.int().min(1).max(10).default(2).describe('How often the same instruction may be delegated.'),
  leastSteps: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Fewest steps with which a sub-agent is started. All of them come out of the steps of the run.'),
  parallel: z.boolean().default(true).describe('Let the model make several calls, and delegations, in one reply.'),
  models: z
    .array(z.string().min(1).max(200))
    .max(20)
    .default([])
    .describe('Models of the environment among which the orchestrator may choose for a sub-agent. None: its own.'),
  toolChars: z
    .int()
    .min(0)
    .max(20_000)
    .default(2_000)
    .describe('Characters of the list of tools that the orchestrator is shown, to choose from for a sub-agent.'),
})

export const prompts = {
  ...reactPrompts,
  orchestrate:
    'You see to it that the task is done by delegating it, piece by piece; you have no other tools. Give out at once, in one reply, all pieces that do not wait for each other. An agent sees nothing but its instruction and its context: name everything in full, and hand on what it must know. Results are numbered; [Result 3] in a context hands that one on whole. Where an agent was blocked or ran out of steps, read why before you delegate the rest: in other words, in smaller pieces, or with more context. When the results suffice, answer in plain words, in the form that the task asks for, without a call. Use only what the task and the results say.',
  mayDelegate:
    'Work that is too much for you alone you may delegate in pieces that do not wait for each other. An agent sees nothing but its instruction and its context.',
  delegate: 'Gives a piece of the work to another agent, and returns its result.{{tools}}',
  blocked:
    'Ends your work because something keeps you from it. Say what you found, what is missing, and what was tried.',
  unstarted: 'No agent was started: {{why}}.',
  triedBefore: 'this was delegated {{tries}} times; word it differently or divide it, or answer with what there is',
  tooFewSteps: 'too few steps are left for another one; answer with what there is, and say what is missing',
} as const

/** What the action keeps. */
export interface State extends AloneState {
  /** Delegations of the last reply that were refused. */
  refused: { readonly callId: string; readonly why: string }[]
  /** Artifacts of the results, by their number. */
  results: Record<string, string>
}

/** What the action is given. */
export type ActionCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/** Where nothing can be delegated, the work is done here. */
export function actsItself({ options: { acts }, left }: ActionCtx): boolean {
  return acts || left.depth === 0
}

/** Where depth is left. */
export function mayDelegate({ left }: ActionCtx): boolean {
  return left.depth > 0
}

/** Somebody gave it its work. */
export function isSubAgent({ options: { acts }, depth }: ActionCtx): boolean {
  return acts && depth > 0
}
