import type { Slot } from '@harnesswright/protocol'
import { attribute } from '../hooks/guard.js'
import type { Module } from '../module/module.js'

/** A module in its place in a harness, with its options and prompts. */
export interface Mount {
  /** `<slot>.<index>`: the name of its taps, its state and its model calls. */
  readonly key: string
  readonly slot: Slot
  /** The module, as the manifest names it. */
  readonly use: string
  readonly module: Module
  readonly options: unknown
  readonly prompts: Readonly<Record<string, string>>
}

/** What a verb gives that no hook calls; what it throws gets the name of the module. */
export function attributed<T>({ slot, use }: Mount, verb: string, step: number, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw attribute(thrown, `"${verb}"`, { slot, module: use, step })
  }
}
