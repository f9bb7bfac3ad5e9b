/**
 * Does the work for every item, at most `width` at once, started in order. The first failure is thrown when all work that
 * was started has ended.
 */
export function mapConcurrently<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  return items.length === 1 ? work(items[0] as T) : mapMany(items, width, work)
}

async function mapMany<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const item = items[next++] as T
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(Math.max(1, width), items.length) }, worker))
  if (failure !== undefined) throw failure.error
}
