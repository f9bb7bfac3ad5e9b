/** A promise that a test settles when it likes. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** Makes a {@link Deferred}. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (value) => resolve(value) }
}
