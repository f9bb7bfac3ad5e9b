import type { Ctx } from '@harnesswright/core'
import { type AloneState, reactPrompts } from '@harnesswright/seed-recursive/parts'
import * as z from 'zod'
import type { Verdict } from './verdict.js'

export const options = z.strictObject({
  experts: z
    .int()
    .min(0)
    .max(16)
    .default(3)
    .describe('Solvers whose work is judged. 0: the task is done once, as by each of them.')
    .meta({ buckets: [2, 3, 5] }),
  planners: z
    .int()
    .min(0)
    .max(16)
    .default(1)
    .describe('How many of them, the first ones, make a plan before they act; the others only reason and act.'),
  expertSteps: z
    .enum(['whole', 'share'])
    .default('whole')
    .describe('Steps of each solver: the whole limit of steps, or its share of that, but at least 5.'),
  snippets: z
    .int()
    .min(0)
    .max(50)
    .default(5)
    .describe('Most pieces of what a solver saw that the critic is shown beside its answer.')
    .meta({ buckets: [0, 5, 10] }),
  snippetChars: z.int().min(50).max(20_000).default(500).describe('Characters of each such piece.'),
  parallel: z.boolean().default(true).describe('Let a solver make several calls in one reply.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: solvers and calls one after another, and a share of the steps for each solver.',
    ),
})

export const prompts = {
  ...reactPrompts,
  critic:
    'Several experts have each done the whole task on their own. You judge their work, and have no tools. Score each from 0 to 10: does it comply with the task, is it borne out by evidence, is it sound, is it specific? Look at what was seen, not at how many say it. Then select one.',
  work: 'What the experts answered, and some of what they saw:\n\n{{work}}\n\n{{ask}}',
  merge: 'Select the best expert, and give the answer: it may take from each of them what is right.',
  choose: 'Select the best expert. Its files are kept and its answer stands as it is, so give that one.',
} as const

/** What the action keeps. */
export interface State extends AloneState {
  /** The critic was asked. */
  isJudged: boolean
  /** What it said, where that could be read. */
  verdict: Verdict | null
}

/** What the action is given. */
export type ActionCtx = Ctx<z.output<typeof options>, State, typeof prompts>
