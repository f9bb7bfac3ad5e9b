import { isHarnessError } from '@harnesswright/core'
import type { Jail } from './jail.js'

/** Text of a file; undefined where it is not there, or cannot be read: to a checker that is the same. */
export function readIfThere(jail: Pick<Jail, 'readText'>, path: string): string | undefined {
  try {
    return jail.readText(path)
  } catch (error) {
    if (isHarnessError(error)) return undefined
    throw error
  }
}
