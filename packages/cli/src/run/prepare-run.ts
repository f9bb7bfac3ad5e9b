import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Environment, Journal, Run } from '@harnesswright/core'
import { createFileJournal } from '@harnesswright/core/node'
import type { Repairer } from '@harnesswright/plugin-meta-agent'
import type { RunBank } from '../bank/run-bank.js'
import { homeOf } from '../home.js'
import type { MadeModel } from '../models/make-model.js'
import type { Composing, EarlierRun } from '../output/outcome.js'
import { openTaskWorkspace, placeOf, type TaskWorkspace } from '../task/task-workspace.js'
import { askerOf } from './ask-person.js'
import { type ChosenHarness, chooseHarness } from './choose-harness.js'
import { claimRun } from './claim-run.js'
import { EventTap } from './event-tap.js'
import type { Host } from './host.js'
import { makeEnvironment } from './make-environment.js'
import { repairersOf } from './repairers-of.js'
import { cardOf, writeCard } from './run-card.js'
import {
  COMPOSITION,
  createRunDirectory,
  JOURNAL,
  openTrace,
  type RunDirectory,
  type TraceFile,
  writeRecord,
} from './run-store.js'
import type { Session } from './session.js'
import { skillsOf } from './skills-of.js'

/** A run that can start: its directory, its workspace with the task's files, and its harness. */
export interface PreparedRun {
  readonly directory: RunDirectory
  readonly workspace: TaskWorkspace
  readonly env: Environment
  readonly chosen: ChosenHarness
  readonly tap: EventTap
  /** The trace of the run's directory, and then the one that was asked for. */
  readonly traces: readonly TraceFile[]
  /** Starts the run, or goes on with it. */
  start(signal: AbortSignal): Promise<Run>
  /** How the harness is mended when it throws, where it was composed for this run. Then `start` is not called. */
  readonly repairing?: RepairingParts
  /** Closes the journal, and gives the directory up. */
  release(): Promise<void>
}

/** How a harness that throws is mended. */
export interface RepairingParts {
  readonly repairers: readonly Repairer[]
  /** The model among them, where there is one. */
  readonly composer: MadeModel | undefined
  /** Writes down what happened before the task runs again, so that the run can go on in another process. */
  keep(earlier: readonly EarlierRun[], composing: Composing | undefined): void
}

/** Prepares a run, from what a bank has where one is given. Nothing is left behind when that fails. */
export async function prepareRun(session: Session, bank?: RunBank): Promise<PreparedRun> {
  const { io } = session
  const directory = await createRunDirectory(homeOf(io), io.now())
  const unclaim = claimRun(directory.path)
  const journal = await createFileJournal(join(directory.path, JOURNAL))
  const release = async (): Promise<void> => {
    await journal.close()
    unclaim()
  }
  try {
    return { ...(await prepareIn(directory, { session, journal, bank })), release }
  } catch (error) {
    await release()
    await rm(directory.path, { recursive: true, force: true })
    throw error
  }
}

interface PreparingParts {
  readonly session: Session
  readonly journal: Journal
  readonly bank: RunBank | undefined
}

async function prepareIn(
  directory: RunDirectory,
  { session, journal, bank }: PreparingParts,
): Promise<Omit<PreparedRun, 'release'>> {
  const { args, io, config, packages, model, composer, limits, given, secrets, rng } = session
  const composed = { ...(composer && { composer }), ...(bank && { bank }) }
  const place = placeOf(args, io.cwd)
  const workspace = openTaskWorkspace({ place, task: given.task, runDirectory: directory.path })
  const tap = new EventTap()
  const env = makeEnvironment({
    model,
    ...(composer === undefined ? {} : { metaModel: composer.made.model }),
    config,
    limits,
    opened: workspace.opened,
    secrets,
    skills: await skillsOf(config, io.cwd),
    isRealTime: args.switches.has('real-time'),
    observe: tap.observe,
    journal,
    ...askerOf(session),
    ...(given.world === undefined ? {} : { world: given.world }),
  })
  const chosen = await chooseHarness({ args, cwd: io.cwd, task: workspace.task, env, packages, ...composed })
  const keep = (told: ChosenHarness): void =>
    writeCard(
      directory.path,
      cardOf({ session, place, chosen: told, ...(given.spec && { spec: given.spec }) }),
      secrets,
    )
  keep(chosen)
  const { harness, record, limits: left = {} } = chosen
  if (record !== undefined) await writeRecord(join(directory.path, COMPOSITION), record, secrets)
  const start = async (signal: AbortSignal): Promise<Run> =>
    harness.run(workspace.task, { seed: rng, signal, limits: left })
  const repairing: RepairingParts = {
    repairers: repairersOf(composer),
    composer: composer?.made,
    keep: (earlier, composing) => keep({ ...chosen, earlier, ...(composing && { composing }) }),
  }
  const traces = openTraces(session, directory.path, 'w')
  return { directory, workspace, env, chosen, tap, traces, start, ...(record === undefined ? {} : { repairing }) }
}

/** The trace of the run's directory, and then the one that was asked for. */
export function openTraces({ args, io, secrets }: Host, directory: string, flag: 'w' | 'a'): readonly TraceFile[] {
  const own = openTrace(join(directory, 'trace.jsonl'), secrets, flag)
  const asked = args.values['trace']
  return asked === undefined ? [own] : [own, openTrace(resolve(io.cwd, asked), secrets)]
}
