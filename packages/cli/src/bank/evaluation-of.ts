import { createHash } from 'node:crypto'
import type { Json } from '@harnesswright/core'
import type { Cell, EvaluationEntry, NewEntry, RewardKind } from '@harnesswright/plugin-bank'
import type { LabRecord } from '@harnesswright/plugin-meta-agent'
import type { MadeModel } from '../models/make-model.js'

/** What runs of a command have in common in a bank. */
export interface Measured {
  /** The command: its runs are told apart by it from those of others. */
  readonly by: string
  readonly model: MadeModel['model']
  readonly clusterId: string
  /** Limits of the host, as they were. */
  readonly limits: Json
  readonly rewardKind: RewardKind
}

/** Where runs with a model count, for a kind of task. */
export function cellOf(clusterId: string, model: MadeModel['model']): Cell {
  const priceTable = model.price === undefined ? 'unknown' : `${model.price.source} ${model.price.date}`
  return { clusterId, backbone: model.id, priceTable, protocol: 1 }
}

/**
 * A run as a bank keeps it. The same run has the same id, whichever process adds it; a masked one has another than the one that
 * was made again in its place.
 */
export function evaluationOf(
  { task, choice, seed, outcome }: LabRecord,
  { by, model, clusterId, limits, rewardKind }: Measured,
): NewEntry<EvaluationEntry> {
  const { reward, usd, ms, steps, harnessId, end } = outcome
  const masked = reward === null
  const run = [model.id, task, choice, seed, harnessId, rewardKind, ...(masked ? ['masked'] : [])]
  const hash = createHash('sha256').update(JSON.stringify(run))
  return {
    id: `${by}-${hash.digest('hex').slice(0, 24)}`,
    ...cellOf(clusterId, model),
    harnessId,
    taskId: task,
    seed,
    budget: limits,
    reward,
    rewardKind,
    masked,
    failureKind: end.startsWith('E_') ? end : null,
    ms,
    usd,
    inputTokens: outcome.inputTokens ?? null,
    cachedTokens: null,
    outputTokens: outcome.outputTokens ?? null,
    steps,
    repairs: 0,
    traceRef: null,
  }
}
