import type { GenerateOptions, Model, ModelRequest, ModelResponse, Price } from '@harnesswright/core'
import { checkOptions } from './check-options.js'
import { createEngineHolder } from './engine/engine-holder.js'
import { createTurnQueue } from './engine/turn-queue.js'
import { untilAborted } from './engine/until-aborted.js'
import type { LlamaModelOptions } from './options.js'
import { createResponder } from './respond.js'

/** Nobody asks money for what runs on one's own computer. */
const PRICE: Price = { input: 0, output: 0, source: 'runs in this process', date: '2026-11-30' }

/** A model that runs in this process. */
export interface LlamaModel extends Model {
  /** Path of its file. */
  readonly file: string
  readonly contextWindow: number
  readonly maxOutputTokens: number
  /** Frees its memory, after the request that is being answered. A later request loads the file again. */
  close(): Promise<void>
}

/**
 * A model of a GGUF file that runs in this process, through llama.cpp. The package `node-llama-cpp` and the file are loaded
 * at the first request; requests are answered one at a time, in the order of asking.
 *
 * Replies with a schema and calls of tools are bound by a grammar while they are written. `generate` throws HarnessError
 * `E_MODEL_BAD_REQUEST`, `E_MODEL_CONTEXT_OVERFLOW` and `E_MODEL_TRANSPORT` by class, `E_PROTOCOL_LOAD` when
 * `node-llama-cpp` is not installed, `E_LLAMA_LOAD` when the file does not load, and the reason of the signal when that is aborted.
 *
 * @throws HarnessError `E_LLAMA_OPTIONS` when an option means nothing, `E_LLAMA_WEIGHTS` when there are no weights of that name,
 * `E_LLAMA_NOT_FETCHED` when they are not in the folder, `E_LLAMA_FILE` when the file is not there or no model.
 */
export function createLlamaModel(options: LlamaModelOptions): LlamaModel {
  const checked = checkOptions(options)
  const holder = createEngineHolder(checked)
  const queue = createTurnQueue()
  const respond = createResponder(checked, holder)

  async function generate(request: ModelRequest, called: GenerateOptions): Promise<ModelResponse> {
    called.signal.throwIfAborted()
    const askedAt = checked.clock.now()
    const leave = await queue.enter(called.signal)
    const queuedMs = checked.clock.now() - askedAt
    // Whoever is aborted does not wait for the token that is being made; the next one does.
    const response = await untilAborted(respond(request, called).finally(leave), called.signal)
    return queuedMs > 0 ? { ...response, queuedMs } : response
  }

  async function close(): Promise<void> {
    const leave = await queue.enter(new AbortController().signal)
    await holder.close().finally(leave)
  }

  return Object.freeze({
    id: checked.id,
    file: checked.file,
    contextWindow: checked.contextTokens,
    maxOutputTokens: checked.maxOutputTokens,
    supports: Object.freeze({ tools: true, jsonSchema: true, stream: true, parallelToolCalls: true }),
    price: PRICE,
    generate,
    close,
  })
}
