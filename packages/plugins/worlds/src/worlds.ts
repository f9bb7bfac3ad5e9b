import { HarnessError } from '@harnesswright/core'
import { longLog } from './long-log.js'
import { lookupChain } from './lookup-chain.js'
import { quotes } from './quotes.js'
import { wideSearch } from './wide-search.js'
import type { World, WorldOptions, WorldSize, WorldTask } from './world.js'

/** Every world, in the order in which they are shown. */
export const worlds: readonly World[] = Object.freeze([quotes, longLog, lookupChain, wideSearch])

/**
 * The world of a name.
 *
 * @throws HarnessError `E_WORLDS_UNKNOWN` when there is none.
 */
export function findWorld(name: string): World {
  const world = worlds.find((one) => one.name === name)
  if (world !== undefined) return world
  throw new HarnessError('E_WORLDS_UNKNOWN', {
    message: `There is no world ${JSON.stringify(name)}.`,
    hint: `Use one of: ${worlds.map((one) => one.name).join(', ')}.`,
  })
}

/**
 * Generates a task from the way it is written on a command line.
 *
 * @param spec - `<name>` or `<name>:<size>`, such as `quotes` or `long-log:large`.
 * @param options - What the text does not say. A size in the text wins.
 * @throws HarnessError `E_WORLDS_UNKNOWN` when there is no such world; `E_WORLDS_OPTION` when an option is out of range.
 */
export function generateTask(spec: string, options: WorldOptions = {}): WorldTask {
  const [name = '', size] = spec.split(':', 2)
  return findWorld(name).generate(size === undefined ? options : { ...options, size: size as WorldSize }) // checked there
}
