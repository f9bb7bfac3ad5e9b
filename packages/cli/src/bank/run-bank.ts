import type { Task } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { type Bank, taskRecord } from '@harnesswright/plugin-bank'
import type { HarnessReference, RepairRound, TaskFeatures } from '@harnesswright/plugin-meta-agent'
import { isApplied } from '../output/repair-text.js'
import type { ExecutedRun } from '../run/execute-run.js'
import { hideSecrets } from '../run/secrets.js'
import type { Session } from '../run/session.js'
import { cleanLine } from '../text/clean.js'
import { type BankedTask, nearReferences } from './near-references.js'
import { openNamedBank } from './open.js'
import { type RunToRemember, rememberRun, type TriedHarness } from './remember-run.js'
import { catalogueVersionOf } from './seed-harnesses.js'
import { bankTaskId } from './task-id.js'

/** A bank from which a harness is composed, and which remembers the run. */
export class RunBank {
  readonly #bank: Bank
  readonly #session: Session
  #task: BankedTask | undefined
  #said: string | undefined

  constructor(bank: Bank, session: Session) {
    this.#bank = bank
    this.#session = session
  }

  /** What it has for a task: the `references` of a composition. */
  async references(task: Task, features: TaskFeatures): Promise<readonly HarnessReference[]> {
    const { args, model, given, rng, secrets, screen } = this.#session
    const text = hideSecrets(task.instruction, secrets)
    this.#task = { taskId: bankTaskId(given, rng), text, features: taskRecord(features) }
    const { references, said } = await nearReferences(this.#bank, this.#task, model.id)
    this.#said = said
    // An explanation has the line too.
    if (!args.switches.has('explain')) screen.progress(`bank: ${cleanLine(said, 500)}`)
    return references
  }

  /** What was found in it, for an explanation. */
  get lines(): readonly string[] {
    return this.#said === undefined ? [] : [`bank ${this.#bank.directory}: ${this.#said}`]
  }

  /** Remembers a run and says so. That it cannot is told, and takes nothing from the run. */
  async remember(executed: ExecutedRun): Promise<void> {
    const { packages, composer, rng, model, screen } = this.#session
    const { record } = executed.chosen
    if (record === undefined || this.#task === undefined) return
    try {
      const said = await rememberRun(this.#bank, {
        id: executed.directory.id,
        task: this.#task,
        rng,
        record,
        ...(composer === undefined ? {} : { composer: composer.made.model.id }),
        catalogueVersion: catalogueVersionOf(packages.catalog.packages),
        model,
        tried: triedOf(executed),
      })
      for (const line of said) screen.line(`bank: ${cleanLine(line, 500)}`)
    } catch (error) {
      screen.line(`warning: the bank does not remember this run: ${cleanLine(messageOf(error), 500)}`)
    }
  }
}

/** The runs of a task: those that failed by their harness, and the last. */
function triedOf({ outcome, attempts }: ExecutedRun): RunToRemember['tried'] {
  const { result, check, manifest } = outcome
  const runs = [
    ...attempts.map((one) => ({ manifest: one.harness.manifest, result: one.result, check: one.check })),
    { manifest, result, check },
  ]
  const menders = attempts.map(({ rounds }) => menderOf(rounds))
  const [first, ...others] = runs.map(({ check: given, ...one }, index): TriedHarness => {
    const mendedBy = menders[index - 1]
    return {
      ...one,
      ...(given === undefined ? {} : { reward: given.reward }),
      ...(mendedBy === undefined ? {} : { mendedBy }),
    }
  })
  return [first ?? { manifest, result }, ...others]
}

/** Whose correction was the last: `rules`, or the id of a model. */
function menderOf(rounds: readonly RepairRound[]): string {
  const made = rounds.flatMap(({ deltas }) => deltas).filter(isApplied)
  return made.at(-1)?.by.replace(/^model /, '') ?? 'repair'
}

/** Works with the bank of `--bank`, where one is named, and closes it. The session is closed where the bank cannot be opened. */
export async function withBank<Result>(
  session: Session,
  work: (bank: RunBank | undefined) => Promise<Result>,
): Promise<Result> {
  if (session.args.values['bank'] === undefined) return await work(undefined)
  const bank = await openNamedBank(session, session.packages).catch(async (error: unknown) => {
    await session.close?.()
    throw error
  })
  try {
    return await work(new RunBank(bank, session))
  } finally {
    await bank.close()
  }
}
