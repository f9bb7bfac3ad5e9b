/**
 * A map that forgets what was not asked for in a long time. It holds two generations: what is asked for moves to the newer
 * one, and when that is full the older one is dropped. Nothing is ever deleted singly, which maps are slow at.
 */
export class Recent<Value> {
  readonly #capacity: number
  readonly #weigh: (key: string) => number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()
  #weight = 0

  /**
   * @param capacity - Sum of the weights of one generation.
   * @param weigh - What an entry counts. Default 1.
   */
  constructor(capacity: number, weigh: (key: string) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  get(key: string): Value | undefined {
    const value = this.#newer.get(key)
    if (value !== undefined) return value
    const old = this.#older.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    if (this.#weight >= this.#capacity) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#weight = 0
    }
    if (!this.#newer.has(key)) this.#weight += this.#weigh(key)
    this.#newer.set(key, value)
  }
}
