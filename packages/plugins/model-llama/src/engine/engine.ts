import { HarnessError } from '@harnesswright/core'
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp'
import type { Turn } from '../prompt/turns.js'
import { type LoadedLlama, loadLlama } from './binding.js'
import { type ChatFormat, chatFormatOf } from './chat-format.js'
import { chooseHeld } from './choose-held.js'
import { type Completion, complete, type Job } from './complete.js'
import { loadError } from './load-error.js'
import { messageOf } from './message-of.js'

/** What an engine is made of. */
export interface EngineOptions {
  readonly file: string
  readonly threads: number
  /** Size of the context window in tokens. */
  readonly contextTokens: number
  /** Conversations of which what was read is kept. */
  readonly conversations: number
}

/** A job without what only the engine knows. */
type Asked = Omit<Job, 'grammar'> & {
  /** In the notation of llama.cpp. */
  readonly grammar: string | undefined
}

/** A model file in memory. */
export interface Engine {
  tokenize(turns: readonly Turn[]): Job['tokens']
  /** Makes one reply. One at a time. */
  complete(asked: Asked): Promise<Completion>
  /** Frees the memory. */
  close(): Promise<void>
}

/**
 * Loads a model file.
 *
 * @throws HarnessError `E_PROTOCOL_LOAD` without the package of llama.cpp, `E_LLAMA_LOAD` when the file or its context does not load.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const loaded = await loadLlama()
  const complaints = loaded.listen()
  try {
    const model = await loaded.llama.loadModel({ modelPath: options.file, gpuLayers: 0 })
    try {
      return await openContext(options, model, loaded)
    } catch (error) {
      await model.dispose()
      throw error
    }
  } catch (cause) {
    throw loadError(options, cause, await complaints())
  } finally {
    void complaints()
  }
}

async function openContext(
  { threads, contextTokens, conversations }: EngineOptions,
  model: LlamaModel,
  loaded: LoadedLlama,
): Promise<Engine> {
  const context = await model.createContext({
    contextSize: contextTokens, // of each sequence
    sequences: conversations,
    threads,
    swaFullCache: true, // else the beginning of a request is read again for models with a sliding window
    failedCreationRemedy: false,
  })
  const sequenceFor = createSequences(context, conversations)
  const chat: ChatFormat = chatFormatOf(model, loaded.binding)
  return {
    tokenize: (turns) => chat.tokenize(turns),
    complete: async ({ grammar, ...asked }) =>
      await complete(sequenceFor(asked.tokens), {
        ...asked,
        stops: [...asked.stops, ...chat.stops],
        grammar: grammar === undefined ? undefined : await grammarState(grammar, model, loaded),
      }),
    close: () => model.dispose(),
  }
}

/** The sequences of a context; gives the one that a request is read into. */
function createSequences(context: LlamaContext, count: number): (tokens: readonly Token[]) => LlamaContextSequence {
  const all = Array.from({ length: count }, () => ({ sequence: context.getSequence(), usedAt: 0 }))
  let requests = 0
  return (tokens) => {
    const held = all.map(({ sequence, usedAt }) => ({ tokens: sequence.contextTokens, usedAt }))
    const chosen = all[chooseHeld(held, tokens)] as (typeof all)[number] // one of them
    requests += 1
    chosen.usedAt = requests
    return chosen.sequence
  }
}

async function grammarState(grammar: string, model: LlamaModel, { binding, llama, listen }: LoadedLlama) {
  const complaints = listen()
  try {
    return new binding.LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar }) })
  } catch (cause) {
    throw new HarnessError('E_MODEL_BAD_REQUEST', {
      message: `llama.cpp takes no grammar of the schema: ${(await complaints()) || messageOf(cause)}`,
      hint: 'Give a smaller or simpler schema.',
      cause,
    })
  } finally {
    void complaints()
  }
}
