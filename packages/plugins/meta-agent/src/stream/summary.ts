import { type Comparison, compareArms } from '../lab/compare.js'
import type { LabOutcome } from '../lab/lab.js'
import { meanOf, type TaskOutcome } from '../lab/units.js'
import type { StreamResult, StreamStep } from './stream.js'

/** What an arm came to, a task on average over all orders. */
export interface ArmSummary {
  readonly reward: number | null
  readonly tokens: number | null
  readonly usd: number | null
  readonly ms: number | null
}

/** What a stream came to beside its static control. */
export interface StreamSummary {
  readonly status: StreamResult['status']
  readonly orders: number
  /** Tasks of an order. */
  readonly tasks: number
  /** Steps of all orders that have a reward in both arms. */
  readonly measured: number
  readonly streaming: ArmSummary
  readonly control: ArmSummary
  /** Streaming against the control: units are those of the tasks, each averaged over its tasks and all orders. */
  readonly comparison: Comparison
  /** The same for each kind of task, the most frequent first. */
  readonly clusters: readonly ClusterSummary[]
}

/** What a stream came to on one kind of task. */
export interface ClusterSummary {
  readonly cluster: string
  /** Steps of all orders. */
  readonly steps: number
  readonly streaming: ArmSummary
  readonly control: ArmSummary
  /** Share of steps that explored. */
  readonly explored: number
  /** The entry that was chosen most often in the last quarter of the orders, and its share there. */
  readonly settledOn: { readonly entry: string; readonly share: number }
}

/** Sums a stream up. */
export function summariseStream({ status, orders }: StreamResult): StreamSummary {
  const steps = orders.flat().filter(isMeasured)
  const tasks = Math.max(0, ...orders.map(({ length }) => length))
  return {
    status,
    orders: orders.length,
    tasks,
    measured: steps.length,
    streaming: summaryOf(steps.map(({ outcome }) => outcome)),
    control: summaryOf(steps.map(({ control }) => control)),
    comparison: compareArms(averaged(steps, 'outcome'), averaged(steps, 'control')),
    clusters: clustersOf(steps, tasks),
  }
}

function isMeasured({ outcome, control }: StreamStep): boolean {
  return outcome.reward !== null && control.reward !== null
}

function summaryOf(outcomes: readonly LabOutcome[]): ArmSummary {
  return {
    reward: meanOf(outcomes.map(({ reward }) => reward)),
    tokens: meanOf(outcomes.map(({ tokens }) => tokens)),
    usd: meanOf(outcomes.map(({ usd }) => usd)),
    ms: meanOf(outcomes.map(({ ms }) => ms)),
  }
}

/** Each task once, with what it came to on average over the orders: orders are no evidence of their own. */
function averaged(steps: readonly StreamStep[], arm: 'outcome' | 'control'): readonly TaskOutcome[] {
  return [...groupBy(steps, ({ task }) => task.id).values()].map((own) => {
    const { task, [arm]: first } = own[0] as StreamStep // no group is empty
    const { reward, tokens, usd } = summaryOf(own.map((step) => step[arm]))
    return { task, outcome: { ...first, reward, tokens, usd } }
  })
}

/** Streaming arms and controls as outcomes of tasks, for comparisons with further arms. */
export function armOutcomes({ orders }: StreamResult, arm: 'outcome' | 'control'): readonly TaskOutcome[] {
  return averaged(orders.flat().filter(isMeasured), arm)
}

function clustersOf(steps: readonly StreamStep[], tasks: number): readonly ClusterSummary[] {
  return [...groupBy(steps, ({ cluster }) => cluster)]
    .map(([cluster, own]) => ({
      cluster,
      steps: own.length,
      streaming: summaryOf(own.map(({ outcome }) => outcome)),
      control: summaryOf(own.map(({ control }) => control)),
      explored: own.filter(({ choice }) => choice.why === 'explore').length / own.length,
      settledOn: mostChosen(own.filter(({ index }) => index >= tasks * 0.75)),
    }))
    .sort((a, b) => b.steps - a.steps || (a.cluster < b.cluster ? -1 : 1))
}

function mostChosen(steps: readonly StreamStep[]): ClusterSummary['settledOn'] {
  const counts = [...groupBy(steps, ({ choice }) => choice.entry)].map(([entry, { length }]) => ({ entry, length }))
  const [most] = counts.sort((a, b) => b.length - a.length || (a.entry < b.entry ? -1 : 1))
  return most === undefined ? { entry: 'none', share: 0 } : { entry: most.entry, share: most.length / steps.length }
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** What has come together up to each task of a stream, on average over the orders, and the least and most of any order. */
export interface Curve {
  readonly mean: readonly number[]
  readonly least: readonly number[]
  readonly most: readonly number[]
}

/** The cumulative curve of one arm. A value that is unknown counts 0. */
export function curveOf(
  { orders }: StreamResult,
  arm: 'outcome' | 'control',
  what: 'reward' | 'usd' | 'tokens',
): Curve {
  const sums = orders
    .filter(({ length }) => length > 0)
    .map((steps) => cumulative(steps.map((step) => step[arm][what])))
  const length = Math.min(...sums.map((one) => one.length))
  const columns = Array.from({ length: Number.isFinite(length) ? length : 0 }, (_, at) =>
    sums.map((one) => one[at] ?? 0),
  )
  return {
    mean: columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length),
    least: columns.map((column) => Math.min(...column)),
    most: columns.map((column) => Math.max(...column)),
  }
}

function cumulative(values: readonly (number | null)[]): readonly number[] {
  let sum = 0
  return values.map((value) => {
    sum += value ?? 0
    return sum
  })
}
