import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  isHarnessError,
  type Json,
  type Manifest,
  questionsOf,
  type RunOpening,
  type Snapshot,
  type Status,
} from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { readJournal } from '@harnesswright/core/node'
import { generateTask } from '@harnesswright/plugin-worlds'
import { parseAnswers } from '../args/parse-answers.js'
import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, LIMIT_NAMES, parseLimits } from '../args/parse-limits.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import type { MadeModel } from '../models/make-model.js'
import { readTextFile } from '../read-text-file.js'
import type { GivenTask } from '../task/read-task.js'
import { placeOf, type WorkspacePlace } from '../task/task-workspace.js'
import { cleanLine } from '../text/clean.js'
import type { RunSession } from './execute-run.js'
import { type Host, listAndWarn, openHost } from './host.js'
import { type RunCard, readCard } from './run-card.js'
import { JOURNAL, type RunDirectory, SNAPSHOT } from './run-store.js'
import { makeModelOf, modelLine } from './session.js'

/** A run that goes on: what it was made with, and how far it has come. */
export interface ResumedSession extends RunSession {
  readonly found: RunDirectory
  readonly card: RunCard
  readonly place: WorkspacePlace
  readonly snapshot: Snapshot
  readonly opening: RunOpening
  readonly manifest: Manifest
  readonly answers: Readonly<Record<string, Json>>
  /** The limits with which the run began, or lower ones. */
  readonly limits: HostLimits
}

/**
 * Reads how far a run has come, and says with which model it goes on. The run is claimed before.
 *
 * @throws HarnessError `E_CLI_OPTION` for an answer that is none; `E_CLI_RESUME` when the run is not whole, or would go on with
 * another model or in a directory that nobody named.
 */
export async function openResumed(found: RunDirectory, args: Arguments, io: Io): Promise<ResumedSession> {
  const card = await readCard(found.path)
  const snapshot = await readSnapshot(found.path)
  const { opening, manifest } = openingOf(snapshot, found.path)
  const questions = await orBroken(found.path, async () => questionsOf(snapshot))
  const answers = parseAnswers(args.lists['answer'] ?? [], questions)
  const limits = lowerLimits(opening, args.values['limit'])
  const place = findPlace(found, card, args, io.cwd)
  const given = givenOf(card, opening)
  const host = await openHost(args, io)
  const made = await sameModel(card, host)
  const packages = listAndWarn(host)
  const { rng } = card
  return { ...host, ...made, packages, rng, given, found, card, place, snapshot, opening, manifest, answers, limits }
}

/** The journal has what happened last; a snapshot is for where there is none. */
async function readSnapshot(directory: string): Promise<Snapshot> {
  const [journal, file] = [join(directory, JOURNAL), join(directory, SNAPSHOT)]
  if (existsSync(journal)) return await readJournal(journal)
  const text = await readTextFile(file, { where: file, maxBytes: 256 * 1024 * 1024, code: 'E_CLI_RESUME' })
  try {
    return JSON.parse(text) as Snapshot // what of it is used here is looked at below, and the rest by core
  } catch (cause) {
    throw cannotGoOn(directory, `${SNAPSHOT} is not JSON: ${(cause as Error).message}`)
  }
}

/**
 * What the records of a run give. They may come from anywhere: whatever fails as they are read is no bug.
 *
 * @throws HarnessError `E_CLI_RESUME` for what has no code of its own.
 */
export async function orBroken<T>(directory: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isHarnessError(error)) throw error
    throw cannotGoOn(directory, `its records are not whole (${messageOf(error)})`)
  }
}

const STATUSES: readonly unknown[] = ['answered', 'limit', 'failed', 'aborted', 'waiting'] satisfies readonly Status[]

/** What the run began with. A process that was killed at once has written nothing of it. */
function openingOf({ runs }: Snapshot, directory: string): { opening: RunOpening; manifest: Manifest } {
  const { opening, end } = runs?.[''] ?? {}
  if (opening?.manifest === undefined) throw cannotGoOn(directory, 'it had not begun')
  const { task, limits, manifest } = opening
  const isWhole = typeof task?.instruction === 'string' && typeof limits === 'object' && limits !== null
  if (!isWhole || (end !== undefined && !STATUSES.includes(end?.status)))
    throw cannotGoOn(directory, 'its records are not whole')
  return { opening, manifest }
}

/**
 * The limits with which the run began, and those of `--limit` that are lower. One that is left out in a record is none.
 *
 * @throws HarnessError `E_CLI_OPTION` for one that is higher, as a run keeps what it was promised to cost.
 */
function lowerLimits({ limits: began }: RunOpening, text: string | undefined): HostLimits {
  const none = Number.POSITIVE_INFINITY
  const { steps = none, tokens = none, ms = none, usd = none } = began
  // JSON has no infinity: null is none too.
  const before: Required<HostLimits> = {
    steps: steps ?? none,
    tokens: tokens ?? none,
    ms: ms ?? none,
    usd: usd ?? none,
  }
  const asked = text === undefined ? {} : parseLimits(text)
  for (const name of LIMIT_NAMES) {
    const limit = asked[name]
    if (limit !== undefined && limit > before[name]) throw higherLimit(name, limit, before[name])
  }
  return { ...before, ...asked }
}

function higherLimit(name: string, asked: number, before: number): Error {
  return cliError('E_CLI_OPTION', {
    message: `The run began with the limit ${name}=${before}, and --limit asks for ${name}=${asked}: a run that goes on can have lower limits alone.`,
    where: '--limit',
    expected: `${name}=${before} or less`,
    fix: 'Leave it out, or run the task again with the higher limit.',
  })
}

/** The world is made again, for its tools and its checker. */
function givenOf({ world: spec, rng }: RunCard, { task }: RunOpening): GivenTask {
  if (spec === undefined) return { task }
  const world = generateTask(spec, { rng })
  if (world.task.instruction === task.instruction) return { task, world, spec }
  throw cannotGoOn(spec, `the world ${spec} has another task in this version`)
}

/** The directory of the run itself, one that is named now, or the one that was named then, where it was we who wrote so. */
function findPlace(
  { path, isOurs }: RunDirectory,
  { workspace }: RunCard,
  args: Arguments,
  cwd: string,
): WorkspacePlace {
  if (args.values['workspace'] !== undefined) return placeOf(args, cwd)
  if (workspace.named === undefined || isOurs) return workspace
  throw cliError('E_CLI_RESUME', {
    message: `The run worked in ${workspace.named}, and its records come from elsewhere.`,
    where: path,
    expected: '--workspace with the directory that the tools may work in',
    fix: `Add --workspace ${workspace.named}, if you know the run.`,
  })
}

/** The model with which the run began, unless another is allowed. */
export async function sameModel({ model, address }: RunCard, host: Host): Promise<MadeModel> {
  const { args, screen } = host
  const asked = args.values['model']
  const choice =
    asked === undefined
      ? { name: model, why: 'as when the run began', where: 'the model of the run' }
      : { name: asked, why: 'named by --model', where: '--model' }
  const made = await makeModelOf(choice, host)
  if (made.model.id !== model && !args.switches.has('allow-other-model')) throw otherModel(made.model.id, model)
  screen.line(modelLine(made, choice.why))
  if (made.model.id === model && made.address !== address)
    screen.line(`warning: the run began at ${cleanLine(address ?? 'no address')}`)
  return made
}

function otherModel(asked: string, model: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `The run began with the model ${JSON.stringify(model)}, and --model names ${JSON.stringify(asked)}.`,
    where: '--model',
    expected: `${model}, which needs no --model`,
    fix: 'Leave --model out, or add --allow-other-model to go on with another.',
  })
}

function cannotGoOn(where: string, why: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `The run cannot go on: ${why}.`,
    where,
    expected: 'a run that "harnesswright run" has begun',
    fix: 'Run the task again.',
  })
}
