import { writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Origin } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { type Composing, type EarlierRun, isRoute, type Route } from '../output/outcome.js'
import { readTextFile } from '../read-text-file.js'
import type { WorkspacePlace } from '../task/task-workspace.js'
import { isComposing, isEarlierRun, isObject } from './card-fields.js'
import type { ChosenHarness } from './choose-harness.js'
import type { RunDirectory } from './run-store.js'
import { hideSecrets } from './secrets.js'
import type { OpenSession } from './session.js'

/** What a run was made with and its journal does not hold: what it takes to go on with it. */
export interface RunCard {
  readonly version: 1
  /** Id of the model, as `--model` takes it. */
  readonly model: string
  /** The address at which it was asked. */
  readonly address?: string
  readonly rng: number
  /** Name and size of the world, as `--world` takes them. */
  readonly world?: string
  readonly workspace: WorkspacePlace
  readonly isRealTime: boolean
  readonly route: Route
  /** Where the manifest came from: a run that goes on trusts it no more than the run did that began. */
  readonly origin: Origin
  readonly explanation: readonly string[]
  /** What a model spent on composing. */
  readonly composing?: Composing
  /** Runs of the task before this one, which ended by an exception of their harness. */
  readonly earlier?: readonly EarlierRun[]
}

const NAME = 'run.json'
const ORIGINS: readonly unknown[] = ['host', 'person', 'model', 'bank', 'remote'] satisfies readonly Origin[]

/** A run or a chat that begins. */
export interface Begun {
  readonly session: Pick<OpenSession, 'args' | 'model' | 'address' | 'rng'>
  readonly place: WorkspacePlace
  readonly chosen: ChosenHarness
  /** Name and size of the world. */
  readonly spec?: string
}

/** The card of what begins. */
export function cardOf({ session, place, chosen, spec }: Begun): RunCard {
  const { args, model, address, rng } = session
  const { route, origin, explanation, composing, earlier } = chosen
  return {
    version: 1,
    model: model.id,
    ...(address === undefined ? {} : { address }),
    rng,
    ...(spec === undefined ? {} : { world: spec }),
    workspace: place,
    isRealTime: args.switches.has('real-time'),
    route,
    origin,
    explanation,
    ...(composing === undefined ? {} : { composing }),
    ...(earlier === undefined ? {} : { earlier }),
  }
}

/** Writes the card of a run into its directory, without the secrets. */
export function writeCard(directory: string, card: RunCard, secrets: readonly string[]): void {
  writeFileSync(join(directory, NAME), hideSecrets(`${JSON.stringify(card, null, 2)}\n`, secrets), { mode: 0o600 })
}

/**
 * The card of the run in a directory.
 *
 * @throws HarnessError `E_CLI_RESUME` when there is none, or it is not as it must be.
 */
export async function readCard(directory: string): Promise<RunCard> {
  const file = join(directory, NAME)
  const text = await readTextFile(file, { where: file, maxBytes: 1024 * 1024, code: 'E_CLI_RESUME' })
  const card = parse(text)
  if (isCard(card)) return card
  throw cliError('E_CLI_RESUME', {
    message: `${file} is not what a run of this version leaves.`,
    where: file,
    expected: 'the run.json of a run',
    fix: 'Name a run that "harnesswright run" has left, or run the task again.',
  })
}

/** Where the manifest of a run comes from. Records from elsewhere are what a person named, whatever they say of themselves. */
export function originOf({ origin }: RunCard, { isOurs }: Pick<RunDirectory, 'isOurs'>): Origin {
  return origin === 'host' && !isOurs ? 'person' : origin
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every field is looked at: a directory may come from anywhere. */
function isCard(value: unknown): value is RunCard {
  if (!isObject(value)) return false
  const { version, model, address, rng, world, workspace, isRealTime, route, origin, explanation } = value
  const { composing, earlier } = value
  const isTextOrNone = (one: unknown): boolean => one === undefined || typeof one === 'string'
  return (
    version === 1 &&
    typeof model === 'string' &&
    isTextOrNone(address) &&
    Number.isSafeInteger(rng) &&
    isTextOrNone(world) &&
    isPlace(workspace) &&
    typeof isRealTime === 'boolean' &&
    isRoute(route) &&
    ORIGINS.includes(origin) &&
    Array.isArray(explanation) &&
    explanation.every((line) => typeof line === 'string') &&
    (composing === undefined || isComposing(composing)) &&
    (earlier === undefined || (Array.isArray(earlier) && earlier.every(isEarlierRun)))
  )
}

function isPlace(value: unknown): value is WorkspacePlace {
  if (!isObject(value)) return false
  const { named, allowsProjectFiles } = value
  return (
    typeof allowsProjectFiles === 'boolean' && (named === undefined || (typeof named === 'string' && isAbsolute(named)))
  )
}
