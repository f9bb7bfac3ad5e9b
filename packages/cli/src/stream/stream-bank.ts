import type { Json, Manifest } from '@harnesswright/core'
import { type Bank, type EvaluationEntry, type NewEntry, taskRecord } from '@harnesswright/plugin-bank'
import {
  type ClusterFeatures,
  COMPOSED,
  clusterOf,
  type Evidence,
  type LabRecord,
} from '@harnesswright/plugin-meta-agent'
import { evaluationOf } from '../bank/evaluation-of.js'
import { harnessRow } from '../bank/harness-row.js'
import type { MadeModel } from '../models/make-model.js'
import type { BankedTask } from './look-at.js'
import type { CliTask } from './tasks.js'

/** A harness that a stream may choose. */
interface BankedEntry {
  readonly name: string
  readonly manifest: Manifest
  readonly harnessId: string
}

/** What a stream writes down beside its runs. */
export interface BankingOptions {
  readonly model: MadeModel['model']
  readonly entries: readonly BankedEntry[]
  readonly tasks: readonly BankedTask[]
  /** Limits of the host, as they were. */
  readonly limits: Json
  readonly verifier: 'check' | 'person'
}

/** Most evaluations of a bank that are taken as evidence, the newest. */
const MOST_EVALUATIONS = 100_000

/** A bank beside a stream: what it knows before, and what is added to it. */
export class StreamBank {
  readonly #bank: Bank
  readonly #options: BankingOptions
  readonly #clusterIds = new Map<string, string>()
  /** Harnesses and evaluations that are there. */
  readonly #harnesses = new Set<string>()
  readonly #evaluations = new Set<string>()
  #added: Promise<void> = Promise.resolve()

  private constructor(bank: Bank, options: BankingOptions) {
    this.#bank = bank
    this.#options = options
  }

  /**
   * Adds the harnesses that may be chosen to a bank, and finds the kinds of the tasks. The bank is closed with it.
   *
   * @throws HarnessError `E_BANK_*` when it cannot be written.
   */
  static async open(bank: Bank, options: BankingOptions): Promise<StreamBank> {
    const own = new StreamBank(bank, options)
    try {
      await own.#addEntries()
      for (const { task, text, features } of options.tasks) {
        const { cluster } = await bank.clusterOf({ taskId: task.id, text, features: taskRecord(features) })
        own.#clusterIds.set(task.id, cluster.id)
        await own.#findEvaluations(task)
      }
      return own
    } catch (error) {
      await bank.close()
      throw error
    }
  }

  /**
   * What the bank knows of these harnesses with this model. What was measured on a task of the stream is left out, so that no
   * gain comes from having seen it.
   */
  async evidence(): Promise<readonly Evidence[]> {
    const { model, entries, tasks } = this.#options
    const own = new Set(tasks.map(({ task }) => task.id))
    const names = new Map(entries.map(({ harnessId, name }) => [harnessId, name]))
    const kinds = new Map((await this.#bank.clusters()).map(({ id, features }) => [id, kindOf(features)]))
    const composed = new Set(
      (await this.#bank.harnesses()).filter(({ card }) => card === CARD_OF_COMPOSED).map(({ id }) => id),
    )
    const evaluations = await this.#bank.evaluations({ backbone: model.id }, MOST_EVALUATIONS)
    return evaluations.toReversed().flatMap(({ taskId, harnessId, clusterId, reward, usd }) => {
      const entry = names.get(harnessId) ?? (composed.has(harnessId) ? COMPOSED : undefined)
      const cluster = kinds.get(clusterId)
      return entry === undefined || cluster === undefined || own.has(taskId)
        ? []
        : [{ cluster, entry, outcome: { reward, usd } }]
    })
  }

  /** Adds a run, and before it the manifest where one was composed for it. What is there already is not added again. */
  add(record: LabRecord, composed?: Manifest): void {
    this.#added = this.#added.then(async () => {
      if (composed !== undefined) await this.#addComposed(record.outcome.harnessId, composed)
      await this.#addEvaluation(record)
    })
    this.#added.catch(() => undefined) // told by `close`
  }

  /** Waits for what is being added. */
  async close(): Promise<void> {
    try {
      await this.#added
    } finally {
      await this.#bank.close()
    }
  }

  async #addEntries(): Promise<void> {
    for (const { id } of await this.#bank.harnesses()) this.#harnesses.add(id)
    const fresh = this.#options.entries.filter(({ harnessId }) => !this.#harnesses.has(harnessId))
    await this.#bank.addHarnesses(
      fresh.map(({ name, manifest, harnessId: id }) =>
        harnessRow({ id, name, manifest, operator: 'generate', createdBy: 'person' }),
      ),
    )
    for (const { harnessId } of fresh) this.#harnesses.add(harnessId)
  }

  async #findEvaluations({ id: taskId }: CliTask): Promise<void> {
    const evaluations = await this.#bank.evaluations({ backbone: this.#options.model.id, taskId }, MOST_EVALUATIONS)
    for (const { id } of evaluations) this.#evaluations.add(id)
  }

  async #addComposed(harnessId: string, manifest: Manifest): Promise<void> {
    if (this.#harnesses.has(harnessId)) return
    this.#harnesses.add(harnessId)
    const name = `${manifest.name} (rules)` // rules name theirs as the seeds are named
    const row = { id: harnessId, name, manifest, card: CARD_OF_COMPOSED }
    await this.#bank.addHarnesses([harnessRow({ ...row, operator: 'generate', createdBy: 'rules' })])
  }

  async #addEvaluation(record: LabRecord): Promise<void> {
    const evaluation = this.#evaluationOf(record)
    if (evaluation === undefined || this.#evaluations.has(evaluation.id)) return
    this.#evaluations.add(evaluation.id)
    await this.#bank.addEvaluations([evaluation])
  }

  #evaluationOf(record: LabRecord): NewEntry<EvaluationEntry> | undefined {
    const clusterId = this.#clusterIds.get(record.task)
    if (clusterId === undefined || record.outcome.harnessId === '') return undefined
    const { model, limits, verifier } = this.#options
    const rewardKind = verifier === 'person' ? 'person' : 'hard'
    return evaluationOf(record, { by: 'stream', model, clusterId, limits, rewardKind })
  }
}

/** By which harnesses that were composed are found again. */
const CARD_OF_COMPOSED = 'Composed for a task by rules.'

/** The kind of a cluster, by the features of the task that it was founded by. */
function kindOf(features: Readonly<Record<string, number | boolean | string | null>>): string {
  const numberOf = (name: keyof ClusterFeatures): number => Number(features[name] ?? 0)
  return clusterOf({
    windowShare: typeof features['windowShare'] === 'number' ? features['windowShare'] : null,
    unsizedSources: numberOf('unsizedSources'),
    sources: numberOf('sources'),
    goals: numberOf('goals'),
    deliverable: features['deliverable'] === true,
  })
}
