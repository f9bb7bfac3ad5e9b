import type { Json, Manifest, ModelInfo, RunResult } from '@harnesswright/core'
import type { Bank, EvaluationEntry, HarnessEntry, NewEntry } from '@harnesswright/plugin-bank'
import { isInfrastructureFault } from '@harnesswright/plugin-bench'
import type { CompositionRecord } from '@harnesswright/plugin-meta-agent'
import { shortId } from '../text/format.js'
import { type BankedTask, kindText } from './near-references.js'

/** A run of a harness that was composed, and how it ended. */
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
  readonly model: Pick<ModelInfo, 'id' | 'price'>
  readonly result: RunResult
  /** What the checker gave, from 0 to 1. Absent: there is none, or the run is not over. */
  readonly reward?: number
}

/**
 * Adds the harness of a run to a bank where it is not there yet, and what the run came to where a checker judged it.
 *
 * @returns What was remembered, in a sentence.
 * @throws HarnessError `E_BANK_*` when the bank cannot be written.
 */
export async function rememberRun(bank: Bank, run: RunToRemember): Promise<string> {
  const { harnessId, manifest } = run.record
  const isKnown = (await bank.harnesses()).some(({ id }) => id === harnessId)
  if (!isKnown) await bank.addHarnesses([harnessOf(run)])
  const harness = `harness ${shortId(harnessId)} ${manifest.name}${isKnown ? ', which was there,' : ''}`
  if (run.reward === undefined) return `${harness} is remembered; ${whyUnscored(run.result)}, so nothing is scored`
  const { cluster } = await bank.clusterOf(run.task)
  const evaluation = evaluationOf(run, cluster.id, run.reward)
  await bank.addEvaluations([evaluation])
  const came = evaluation.masked ? `masked (${evaluation.failureKind})` : `reward ${run.reward.toFixed(3)}`
  return `${harness} is remembered, ${came} on ${kindText(cluster)}`
}

function whyUnscored({ status }: RunResult): string {
  return status === 'waiting' || status === 'aborted' ? 'the run is not over' : 'the task has no checker'
}

function harnessOf({ record, composer, catalogueVersion }: RunToRemember): NewEntry<HarnessEntry> {
  const { harnessId, manifest, route, references, analysis } = record
  const isOfModel = route === 'model' && composer !== undefined
  const createdBy = isOfModel ? composer : route
  return {
    id: harnessId,
    name: `${manifest.name} (${createdBy})`, // rules name theirs as the seeds are named
    manifest: plainJson(manifest),
    card: manifest.description ?? '',
    status: 'candidate',
    operator: 'generate',
    createdBy,
    parentIds: [],
    // Rules look at none of them.
    referenceIds: isOfModel ? references.map((one) => one.harnessId) : [],
    promptHash: null,
    model: isOfModel ? composer : null,
    catalogueVersion,
    predicted: analysis === undefined ? null : { ...analysis.predicted },
  }
}

/** What composing cost is not the harness's: a run that takes it from the bank does not pay for it. */
function evaluationOf(
  { id, task, rng, record, model, result }: RunToRemember,
  clusterId: string,
  reward: number,
): NewEntry<EvaluationEntry> {
  const { spent, error, ms } = result
  const isMasked = error !== undefined && isInfrastructureFault(error.code)
  return {
    id: `run-${id}`,
    clusterId,
    backbone: model.id,
    priceTable: model.price === undefined ? 'unknown' : `${model.price.source} ${model.price.date}`,
    protocol: 1,
    harnessId: result.harnessId,
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
    repairs: 0,
    traceRef: id,
  }
}

function plainJson(manifest: Manifest): Json {
  return JSON.parse(JSON.stringify(manifest)) as Json
}
