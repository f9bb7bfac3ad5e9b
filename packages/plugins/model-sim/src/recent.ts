/** A map that forgets what was not asked for in the longest time, once it holds more than `capacity`. */
export class Recent<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>()
  readonly #capacity: number
  #weight = 0

  /** @param capacity - Sum of the weights that are kept; at least one entry is. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, weight: number = 1): void {
    this.#forget(key)
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity || oldest === key) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
