import type { Manifest, RunResult } from '@harnesswright/core'
import type { Bank, EvaluationEntry, HarnessEntry, NewEntry } from '@harnesswright/plugin-bank'
import { isInfrastructureFault } from '@harnesswright/plugin-bench'
import type { CompositionRecord } from '@harnesswright/plugin-meta-agent'
import type { MadeModel } from '../models/make-model.js'
import { shortId } from '../text/format.js'
import { cellOf } from './evaluation-of.js'
import { harnessRow } from './harness-row.js'
import { type BankedTask, kindText } from './near-references.js'

/** One run of a harness, and what the checker gave. */
export interface TriedHarness {
  readonly manifest: Manifest
  readonly result: RunResult
  /** From 0 to 1. Absent: there is no checker, or the run is not over. */
  readonly reward?: number
  /** Who mended the harness before, so that it became this one: `rules`, or the id of a model. */
  readonly mendedBy?: string
}

/** A task that was run with a harness that was composed for it, and how that ended. */
export interface RunToRemember {
  /** Id of the run. */
  readonly id: string
  readonly task: BankedTask
  /** The random seed. */
  readonly rng: number
  readonly record: CompositionRecord
  /** Id of the model that composed, where one did. */
  readonly composer?: string
  readonly catalogueVersion: string
  readonly model: MadeModel['model']
  /** The runs in their order: the harness as it was composed, and then as it was mended after each that failed by it. */
  readonly tried: readonly [TriedHarness, ...TriedHarness[]]
}

/**
 * Adds the harnesses of a run to a bank where they are not there yet, and what each of its runs came to where a checker judged it.
 *
 * @returns What was remembered, a sentence for each harness.
 * @throws HarnessError `E_BANK_*` when the bank cannot be written.
 */
export async function rememberRun(bank: Bank, run: RunToRemember): Promise<readonly string[]> {
  const known = new Set((await bank.harnesses()).map(({ id }) => id))
  const said: string[] = []
  for (const [index, tried] of run.tried.entries()) {
    const { harnessId } = tried.result
    const isKnown = known.has(harnessId)
    if (!isKnown) await bank.addHarnesses([harnessOf(run, index)])
    known.add(harnessId)
    const harness = `harness ${shortId(harnessId)} ${tried.manifest.name}${isKnown ? ', which was there,' : ''}`
    said.push(`${harness} is remembered${await scored(bank, run, index)}`)
  }
  return said
}

/** Adds what a run came to, and says it. */
async function scored(bank: Bank, run: RunToRemember, index: number): Promise<string> {
  const { result, reward } = triedAt(run, index)
  if (reward === undefined) return `; ${whyUnscored(result)}, so nothing is scored`
  const { cluster } = await bank.clusterOf(run.task)
  const evaluation = evaluationOf(run, index, { clusterId: cluster.id, reward })
  await bank.addEvaluations([evaluation])
  const came = evaluation.masked ? `masked (${evaluation.failureKind})` : `reward ${reward.toFixed(3)}`
  return `, ${came} on ${kindText(cluster)}`
}

function triedAt({ tried }: RunToRemember, index: number): TriedHarness {
  return tried[index] ?? tried[0]
}

function whyUnscored({ status }: RunResult): string {
  return status === 'waiting' || status === 'aborted' ? 'the run is not over' : 'the task has no checker'
}

function harnessOf(run: RunToRemember, index: number): NewEntry<HarnessEntry> {
  const { manifest, result, mendedBy } = triedAt(run, index)
  const { record, composer, catalogueVersion } = run
  const { route, references, analysis } = record
  const isOfModel = route === 'model' && composer !== undefined
  const createdBy = mendedBy ?? (isOfModel ? composer : route)
  const isMended = mendedBy !== undefined
  return harnessRow({
    id: result.harnessId,
    name: `${manifest.name} (${createdBy})`, // rules name theirs as the seeds are named
    manifest,
    operator: isMended ? 'repair' : 'generate',
    createdBy,
    parentIds: isMended ? [triedAt(run, index - 1).result.harnessId] : [],
    // Rules look at none of them.
    referenceIds: isOfModel && !isMended ? references.map((one) => one.harnessId) : [],
    model: composer !== undefined && createdBy === composer ? composer : null,
    catalogueVersion,
    predicted: analysis === undefined || isMended ? null : { ...analysis.predicted },
  })
}

/** What composing and mending cost is not the harness's: a run that takes it from the bank does not pay for it. */
function evaluationOf(
  run: RunToRemember,
  index: number,
  { clusterId, reward }: { readonly clusterId: string; readonly reward: number },
): NewEntry<EvaluationEntry> {
  const { id, task, rng, record, model, tried } = run
  const { result } = triedAt(run, index)
  const { spent, error, ms, harnessId } = result
  const isMasked = error !== undefined && isInfrastructureFault(error.code)
  const isLast = index === tried.length - 1
  return {
    id: isLast ? `run-${id}` : `run-${id}-${index + 1}`,
    ...cellOf(clusterId, model),
    harnessId,
    taskId: task.taskId,
    seed: rng,
    budget: { ...record.features.budget },
    reward: isMasked ? null : reward,
    rewardKind: 'hard',
    masked: isMasked,
    failureKind: error?.code ?? null,
    ms,
    usd: spent.usd,
    inputTokens: spent.usage.inputTokens,
    cachedTokens: spent.usage.cachedTokens,
    outputTokens: spent.usage.outputTokens,
    steps: spent.steps,
    repairs: index,
    traceRef: id,
  }
}
