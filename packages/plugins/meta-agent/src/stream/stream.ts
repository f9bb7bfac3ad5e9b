import { mixSeed, seededRandom } from '@harnesswright/core'
import { BudgetSpent } from '../lab/kept-lab.js'
import type { Lab, LabChoice, LabOutcome, LabTask } from '../lab/lab.js'
import { mapPool } from '../lab/measure.js'
import { shuffle } from '../proposers/shuffle.js'
import { Cells, type Evidence } from './cells.js'
import { chooseEntry, type StreamChoice } from './choose.js'
import { clusterOf } from './cluster.js'

/** What a stream is made of. */
export interface StreamOptions<Task extends LabTask> {
  /** Makes a run once for all orders: a {@link KeptLab}. */
  readonly lab: Lab<Task>
  readonly tasks: readonly Task[]
  /** Harnesses that there are to choose from beside what is composed for a task; none is called {@link COMPOSED}. */
  readonly entries: readonly Required<LabChoice>[]
  /** What is known before the stream begins, from a bank. Default: nothing. */
  readonly evidence?: readonly Evidence[]
  /** Orders in which the tasks come. Default 10. */
  readonly orders?: number
  /** The random seed of orders and of what is explored. Default 1. */
  readonly rng?: number
  /** The random seed of the run of a task. */
  readonly seedOf: (task: Task) => number
  /** Orders under way at once; each does one task after another. Default 1. */
  readonly concurrency?: number
  /** Ends the stream; it then rejects with its reason. */
  readonly signal?: AbortSignal
  /** Called after each task of each order. */
  readonly onStep?: (step: StreamStep) => void
}

/** One task of one order, as both arms did it. */
export interface StreamStep {
  readonly order: number
  /** Place in the order, from 0. */
  readonly index: number
  readonly task: LabTask
  readonly cluster: string
  readonly choice: StreamChoice
  /** What the streaming arm came to. */
  readonly outcome: LabOutcome
  /** What the static control came to on the same task: a harness composed for it, nothing remembered. */
  readonly control: LabOutcome
}

/** What became of a stream. */
export interface StreamResult {
  /** `budget`: it was spent before every order was through. */
  readonly status: 'done' | 'budget'
  /** Orders, in each the tasks that were done, in their order. */
  readonly orders: readonly (readonly StreamStep[])[]
}

/** The entry that stands for composing anew, and the static control. */
export const COMPOSED = 'composed'

/**
 * Does tasks one after another, in several orders: looks at a task, chooses a harness by what is known of tasks like it, runs it,
 * and remembers what came of it. What composes stays as it is; all that is learned is evidence. Every order begins with the same
 * evidence, and beside each task stands what the static control came to.
 */
export async function stream<Task extends LabTask>(options: StreamOptions<Task>): Promise<StreamResult> {
  const { lab, tasks, orders = 10, concurrency = 1, signal } = options
  const looking = { concurrency, ...(signal === undefined ? {} : { signal }) }
  const clusters = await mapPool(tasks, looking, async (task) => clusterOf(await lab.look(task)))
  const clusterById = new Map(tasks.map((task, index) => [task.id, clusters[index] as string]))
  const numbers = Array.from({ length: orders }, (_, index) => index + 1)
  const through = await mapPool(numbers, looking, (order) => runOrder(order, options, clusterById))
  const isWhole = through.every((steps) => steps.length === tasks.length)
  return { status: isWhole ? 'done' : 'budget', orders: through }
}

async function runOrder<Task extends LabTask>(
  order: number,
  { lab, tasks, entries, evidence = [], rng = 1, seedOf, signal, onStep }: StreamOptions<Task>,
  clusterById: ReadonlyMap<string, string>,
): Promise<readonly StreamStep[]> {
  const random = seededRandom(mixSeed(rng, order, 'explore'))
  const cells = new Cells(evidence)
  const names = [COMPOSED, ...entries.map(({ name }) => name)]
  const steps: StreamStep[] = []
  for (const [index, task] of shuffle(tasks, mixSeed(rng, order, 'order')).entries()) {
    signal?.throwIfAborted()
    const cluster = clusterById.get(task.id) as string // every task was looked at
    const choice = chooseEntry(cluster, names, { cells, random })
    const chosen = entries.find(({ name }) => name === choice.entry) ?? { name: COMPOSED }
    const done = await bothArms(lab, { task, chosen, seed: seedOf(task) })
    if (done === undefined) return steps
    cells.add({ cluster, entry: choice.entry, outcome: done.outcome })
    const step: StreamStep = { order, index, task, cluster, choice, ...done }
    steps.push(step)
    onStep?.(step)
  }
  return steps
}

/** Undefined when the budget is spent. */
async function bothArms<Task extends LabTask>(
  lab: Lab<Task>,
  { task, chosen, seed }: { readonly task: Task; readonly chosen: LabChoice; readonly seed: number },
): Promise<Pick<StreamStep, 'outcome' | 'control'> | undefined> {
  try {
    const control = await lab.run(task, { name: COMPOSED }, seed)
    return { control, outcome: await lab.run(task, chosen, seed) }
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined
    throw error
  }
}
