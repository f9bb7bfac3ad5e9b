import {
  type ArmSummary,
  comparisonLine,
  detectableLine,
  type LabBudget,
  type StreamSummary,
} from '@harnesswright/plugin-meta-agent'
import type { Listing } from '../commands/list-command.js'
import type { MadeModel } from '../models/make-model.js'
import { countOf, formatTable } from '../text/format.js'

/** What is reported of a stream. */
export interface StreamOutcome {
  readonly summary: StreamSummary
  readonly model: MadeModel['model']
  /** Where feedback came from: `check` or `person`. */
  readonly verifier: string
  /** What all runs cost, each counted once. */
  readonly spent: { readonly runs: number; readonly tokens: number; readonly usd: number | null }
  readonly budget: LabBudget
  /** Paths of the runs and of the plot. */
  readonly runs: string
  readonly plot: string
}

/** The table of a stream: both arms, what the difference is worth, and what was learned for which kind of task. */
export function reportStream(outcome: StreamOutcome): Listing {
  const { summary, model, ...rest } = outcome
  const isSimulated = model.simulated === true
  const { comparison, clusters, streaming, control } = summary
  const json = { ...rest, model: model.id, simulated: isSimulated, ...summary }
  const lines = [
    ...formatTable([
      ['arm', 'reward', 'tokens', 'USD', 'time'],
      armRow('streaming', streaming),
      armRow('static', control),
    ]),
    '',
    `Means of a task; ${countOf(summary.orders, 'order')} of ${countOf(summary.tasks, 'task')}.`,
    `streaming against static: ${comparisonLine(comparison)}`,
    detectableLine(comparison),
    '',
    ...formatTable([
      ['kind of task', 'steps', 'streaming', 'static', 'explored', 'settled on'],
      ...clusters.map(({ cluster, steps, streaming: own, control: other, explored, settledOn }) => [
        cluster,
        String(steps),
        rewardText(own.reward),
        rewardText(other.reward),
        `${Math.round(100 * explored)} %`,
        settledOn.entry,
      ]),
    ]),
    '',
    `plot: ${outcome.plot}`,
    ...(isSimulated ? ['On the simulated model: nothing follows for language models.'] : []),
  ]
  return { json, lines }
}

function armRow(name: string, { reward, tokens, usd, ms }: ArmSummary): readonly string[] {
  return [
    name,
    rewardText(reward),
    tokens === null ? 'unknown' : `${(tokens / 1000).toFixed(1)}k`,
    usd === null ? 'unknown' : usd.toFixed(4),
    ms === null ? 'unknown' : `${(ms / 1000).toFixed(0)} s`,
  ]
}

function rewardText(reward: number | null): string {
  return reward === null ? 'unknown' : reward.toFixed(3)
}
