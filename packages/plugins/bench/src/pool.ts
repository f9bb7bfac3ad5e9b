/**
 * Works on items, so many at once, each begun in the order of the list. After the first failure, and once the signal is
 * aborted, no further one is begun.
 *
 * @returns When all that was begun is over. Rejects with the first failure then.
 */
export async function runPool<Item>(
  items: readonly Item[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0 && !signal.aborted) {
      const item = items[next++] as Item // there is one, as was just seen
      await work(item).catch((failure: unknown) => failures.push(failure))
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}
