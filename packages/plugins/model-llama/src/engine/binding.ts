import { setImmediate } from 'node:timers/promises'
import { HarnessError } from '@harnesswright/core'
import type { Llama } from 'node-llama-cpp'

/** The package that brings llama.cpp. */
export type Binding = typeof import('node-llama-cpp')

/** Last lines of llama.cpp that are kept, for errors. */
const KEPT_LINES = 4
/** Turns of the event loop in which a line of an error may still come. */
const LATE_TURNS = 5

/** llama.cpp with what it says. */
export interface LoadedLlama {
  readonly binding: Binding
  readonly llama: Llama
  /** Begins to listen; what is given ends it, and says the last complaints since. Nothing is printed. */
  listen(): () => Promise<string>
}

/**
 * llama.cpp is one for a process: whoever frees it frees it for all. So it is kept, and only models are freed.
 */
let shared: Promise<LoadedLlama> | undefined

/**
 * Loads llama.cpp for the processor: a binary that a package brought, never one that is built or fetched now.
 *
 * @throws HarnessError `E_PROTOCOL_LOAD` when the package is not installed, `E_LLAMA_LOAD` when it has no binary for this computer.
 */
export async function loadLlama(): Promise<LoadedLlama> {
  shared ??= load()
  try {
    return await shared
  } catch (error) {
    shared = undefined // what is missing may be there the next time
    throw error
  }
}

async function load(): Promise<LoadedLlama> {
  const binding = await importBinding()
  const listeners = new Set<string[]>()
  const { LlamaLogLevel } = binding
  try {
    const llama = await binding.getLlama({
      // Apple silicon has one binary, which can leave the graphics alone: no layer of a model goes there.
      gpu: process.platform === 'darwin' && process.arch === 'arm64' ? 'metal' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      maxThreads: 0, // each context has its own number
      logLevel: LlamaLogLevel.error,
      logger: (_level, message) => {
        for (const lines of listeners) {
          lines.push(message.trim())
          lines.splice(0, lines.length - KEPT_LINES)
        }
      },
    })
    return { binding, llama, listen: () => listener(listeners) }
  } catch (cause) {
    throw new HarnessError('E_LLAMA_LOAD', {
      message: 'llama.cpp does not load: node-llama-cpp has no binary that runs on this computer.',
      hint: 'Install node-llama-cpp again with its optional packages: npm install --include=optional node-llama-cpp@3',
      details: { platform: process.platform, arch: process.arch },
      cause,
    })
  }
}

/** Lines come from other threads, and may come after what they tell of. */
function listener(listeners: Set<string[]>): () => Promise<string> {
  const lines: string[] = []
  listeners.add(lines)
  return async () => {
    for (let turns = 0; turns < LATE_TURNS && lines.length === 0; turns++) await setImmediate()
    listeners.delete(lines)
    return lines.join(' ')
  }
}

async function importBinding(): Promise<Binding> {
  return await import('node-llama-cpp').catch((cause: unknown) => {
    throw new HarnessError('E_PROTOCOL_LOAD', {
      message: 'The package "node-llama-cpp" does not load, which @harnesswright/plugin-model-llama runs models with.',
      hint: 'Install it beside the plugin: npm install node-llama-cpp@3',
      cause,
    })
  })
}
