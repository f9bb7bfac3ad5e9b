import type { Manifest } from '@harnesswright/core'
import {
  type Bank,
  CLUSTER_RADIUS,
  type ClusterEntry,
  type NearCluster,
  type Reference,
  type ReferenceQuery,
  type TaskRecord,
} from '@harnesswright/plugin-bank'
import type { HarnessReference } from '@harnesswright/plugin-meta-agent'

/** A task as a bank knows it. */
export interface BankedTask {
  readonly taskId: string
  readonly text: string
  readonly features: TaskRecord
}

/** What a bank has for a task. */
export interface NearReferences {
  /** What proved itself on such tasks comes first, the best before. */
  readonly references: readonly HarnessReference[]
  /** What was found, in a sentence. */
  readonly said: string
}

/**
 * Asks a bank for examples for a task. The champion of its kind of task, and what was measured on that kind with the model and
 * earned a reward, proved themselves; everything else is an example. A task belongs to a kind within the radius of clusters: what was
 * seen on another kind proves nothing of this one. What was evaluated on the very same task is left out.
 *
 * @param backbone - Id of the model that is to run the task.
 */
export async function nearReferences(bank: Bank, task: BankedTask, backbone: string): Promise<NearReferences> {
  const query = { ...task, backbone }
  const found = await bank.retrieve({ ...query, k: MOST })
  const [near] = await bank.nearestClusters(task)
  const kind = near !== undefined && near.distance <= CLUSTER_RADIUS ? near.cluster.id : undefined
  const proven = kind === undefined ? [] : await provenOf(bank, kind, query)
  const kept = fill(proven, found)
  const references = kept.map((one) => toReference(one, { kind, isProven: proven.includes(one) }))
  const { harnesses } = await bank.counts()
  const what = whatOf({ found: kept, proven: proven.length, near, isSameKind: kind !== undefined }, backbone)
  return { references, said: `${kept.length} of ${harnesses} harnesses retrieved; ${what}` }
}

/** References in all: as many as a model is shown. */
const MOST = 5
/** References among which what proved itself is looked for: with few runs it may stand below what was never tried. */
const LOOKED_AT = 20

/** What proved itself on a kind of task with a model, the champion before all others, and those by what they surely earn. */
async function provenOf(bank: Bank, kind: string, query: ReferenceQuery): Promise<readonly Reference[]> {
  const champion = await championOf(bank, kind, query.backbone)
  const found = await bank.retrieve({ ...query, k: LOOKED_AT })
  return found
    .filter((one) => isProven(one, kind, champion))
    .toSorted((a, b) => rank(b, champion) - rank(a, champion))
    .slice(0, MOST - 2)
}

/** What proved itself, then what was found beside; one to explore and a seed keep their places. */
function fill(proven: readonly Reference[], found: readonly Reference[]): readonly Reference[] {
  const others = found.filter((one) => proven.every(({ harnessId }) => harnessId !== one.harnessId))
  const isReserved = ({ pick }: Reference): boolean => pick === 'exploration' || pick === 'seed'
  const reserved = others.filter(isReserved)
  const room = MOST - proven.length - reserved.length
  return [...proven, ...others.filter((one) => !isReserved(one)).slice(0, Math.max(0, room)), ...reserved]
}

async function championOf(bank: Bank, clusterId: string, backbone: string): Promise<string | undefined> {
  const champions = (await bank.holders({ clusterId, backbone })).filter(({ role }) => role === 'champion')
  return champions.toSorted((a, b) => b.since - a.since)[0]?.harnessId
}

function isProven({ harnessId, measured }: Reference, kind: string, champion: string | undefined): boolean {
  return harnessId === champion || (measured?.clusterId === kind && (measured.reward ?? 0) > 0)
}

/** The champion stands above every lower bound, which is 1 at most. */
function rank({ harnessId, measured }: Reference, champion: string | undefined): number {
  return harnessId === champion ? 2 : (measured?.rewardLower ?? 0)
}

function toReference({ harnessId, manifest, card, measured, why }: Reference, place: Place): HarnessReference {
  return {
    harnessId,
    manifest: manifest as unknown as Manifest, // it is checked before it is used
    card,
    measured,
    why: `${whereOf(measured, place.kind)}${why}`,
    isExample: !place.isProven,
  }
}

interface Place {
  /** The kind that the task belongs to. */
  readonly kind: string | undefined
  readonly isProven: boolean
}

/** Where a harness was measured; '' where it was not. */
function whereOf(measured: Reference['measured'], kind: string | undefined): string {
  if (measured === null) return ''
  return measured.clusterId === kind ? 'measured on such tasks; ' : 'measured on other kinds of tasks; '
}

interface Found {
  readonly found: readonly Reference[]
  readonly proven: number
  readonly near: NearCluster | undefined
  readonly isSameKind: boolean
}

function whatOf({ found, proven, near, isSameKind }: Found, backbone: string): string {
  if (near === undefined || found.every(({ measured }) => measured === null))
    return `none of them was measured with ${backbone}`
  const kind = `${kindText(near.cluster)} (distance ${near.distance.toFixed(2)})`
  if (!isSameKind) return `the nearest kind of task is another one: ${kind}`
  const count = proven === 0 ? 'none of them is' : proven === 1 ? '1 of them is' : `${proven} of them are`
  return `${count} proven on such tasks with ${backbone}: ${kind}`
}

/** A kind of task by the beginning of its first task. */
export function kindText({ name }: Pick<ClusterEntry, 'name'>): string {
  return JSON.stringify(name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name)
}

const MOST_NAME = 50
