import type { Lab, LabChoice, LabTask } from './lab.js'
import type { TaskOutcome } from './units.js'

/** How tasks are done. */
export interface MeasureOptions {
  /** Runs under way at once. Default 1. */
  readonly concurrency?: number
  /** Begins no further run once it is aborted; the measurement then rejects with its reason. */
  readonly signal?: AbortSignal
}

/** Does every task once with one harness; `seedOf` gives the random seed of each run. In the order of the tasks. */
export async function measure<Task extends LabTask>(
  lab: Lab<Task>,
  choice: LabChoice,
  tasks: readonly Task[],
  options: MeasureOptions & { readonly seedOf: (task: Task) => number },
): Promise<readonly TaskOutcome[]> {
  return await mapPool(tasks, options, async (task) => ({
    task,
    outcome: await lab.run(task, choice, options.seedOf(task)),
  }))
}

/** Maps items, so many at once, in their order. After a failure, and once the signal is aborted, no further one is begun. */
export async function mapPool<Item, Result>(
  items: readonly Item[],
  { concurrency = 1, signal }: MeasureOptions,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length)
  let next = 0
  let hasFailed = false
  const worker = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      signal?.throwIfAborted()
      const at = next++
      results[at] = await work(items[at] as Item) // there is one, as was just seen
    }
  }
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, () =>
    worker().catch((failure: unknown) => {
      hasFailed = true
      throw failure
    }),
  )
  const settled = await Promise.allSettled(workers)
  const failure = settled.find((one) => one.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return results
}
