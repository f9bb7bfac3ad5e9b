import { loadLlama } from '../../src/engine/binding.js'
import { messageOf } from '../../src/engine/message-of.js'

/** Why the real binding cannot be used here, or undefined where it can: tests that need it are then skipped. */
export const noLlama: string | undefined = await reason()

async function reason(): Promise<string | undefined> {
  try {
    await loadLlama()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Title of tests that need the binding, with the reason where it is missing. */
export function withLlama(title: string): string {
  return noLlama === undefined ? title : `${title} (skipped: ${noLlama})`
}

/** Time in ms for tests that load a model: on a busy computer the binding alone takes seconds. */
export const LOADING_MS = 120_000
