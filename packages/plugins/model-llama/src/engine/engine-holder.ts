import { HarnessError, isHarnessError } from '@harnesswright/core'
import { type Engine, type EngineOptions, openEngine } from './engine.js'
import { messageOf } from './message-of.js'

/** Keeps a model file in memory from its first use until it is closed or fails. */
export interface EngineHolder {
  /**
   * Uses the engine, which is opened first where it is not.
   *
   * @throws What the use throws; `E_MODEL_TRANSPORT` where that has no code and the signal was not aborted: the engine is then opened anew.
   */
  use<T>(signal: AbortSignal, work: (engine: Engine) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createEngineHolder(options: EngineOptions & { readonly id: string }): EngineHolder {
  let opened: Promise<Engine> | undefined

  async function open(): Promise<Engine> {
    opened ??= openEngine(options)
    try {
      return await opened
    } catch (error) {
      opened = undefined // what is missing may be there the next time
      throw error
    }
  }

  async function close(): Promise<void> {
    const engine = opened
    opened = undefined
    await (await engine)?.close()
  }

  return {
    close,
    async use(signal, work) {
      const engine = await open()
      try {
        return await work(engine)
      } catch (error) {
        if (isHarnessError(error) || (signal.aborted && error === signal.reason)) throw error
        await close()
        throw new HarnessError('E_MODEL_TRANSPORT', {
          message: `The model "${options.id}" failed while it ran: ${messageOf(error)}`,
          hint: 'The next request loads it anew. If it fails again, give a smaller "contextTokens".',
          cause: error,
        })
      }
    },
  }
}
