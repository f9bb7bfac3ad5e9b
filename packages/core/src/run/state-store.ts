import { copyJson, HarnessError, type Json, type JsonObject, NotJson } from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'

/** The states of the modules of one run: live objects, and the JSON of their last durable point. */
export class StateStore {
  readonly #live: Map<string, object> = new Map()
  readonly #durable: Map<string, string> = new Map()
  readonly #mounts: ReadonlyMap<string, Mount>

  constructor(mounts: readonly Mount[]) {
    this.#mounts = new Map(mounts.map((mount) => [mount.key, mount]))
  }

  /** Makes the first states, or takes those of a run that goes on. Each is a copy, so that no two runs share one. */
  open(saved: JsonObject = {}): void {
    for (const mount of this.#mounts.values()) {
      const { state } = mount.module
      const known = saved[mount.key]
      if (known === undefined && state === undefined) continue
      const first = known ?? attributed(mount, 'state', 0, () => state?.({ options: mount.options }) ?? {})
      this.#live.set(mount.key, this.#copy(mount.key, first as object) as object) // a copy of an object is one
      if (known !== undefined) this.#durable.set(mount.key, JSON.stringify(known))
    }
  }

  get(key: string): object {
    let state = this.#live.get(key)
    if (state === undefined) {
      state = {}
      this.#live.set(key, state)
    }
    return state
  }

  set(key: string, state: object): void {
    this.#live.set(key, state)
  }

  /** Makes the states durable; gives the whole values of those that changed, or nothing. */
  commit(): JsonObject | undefined {
    let changed: Record<string, Json> | undefined
    for (const [key, state] of this.#live) {
      if (this.#durable.get(key) === textOf(state)) continue
      const copy = this.#copy(key, state)
      const text = JSON.stringify(copy)
      if (this.#durable.get(key) === text) continue
      this.#durable.set(key, text)
      changed ??= {}
      changed[key] = copy
    }
    return changed
  }

  #copy(key: string, state: object): Json {
    try {
      return copyJson(state)
    } catch (cause) {
      const mount = this.#mounts.get(key)
      throw new HarnessError('E_PROTOCOL_STATE', {
        message: `The state of ${mount?.use ?? key} is not plain JSON: ${cause instanceof NotJson ? cause.message : String(cause)}.`,
        slot: mount?.slot ?? '',
        module: mount?.use ?? key,
        cause,
      })
    }
  }
}

/** Its JSON, if it has one. */
function textOf(state: object): string | undefined {
  try {
    return JSON.stringify(state)
  } catch {
    return undefined // said by its copy, and where
  }
}
