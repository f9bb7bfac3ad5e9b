import { HarnessError } from '@harnesswright/core'
import type { ChatHistoryItem, ChatWrapper, LlamaModel, LlamaText, Token } from 'node-llama-cpp'
import type { Turn } from '../prompt/turns.js'
import type { Binding } from './binding.js'

/** How a model is spoken to: the form of its chat template. */
export interface ChatFormat {
  /**
   * The turns as tokens, up to where the model begins to speak. What is said in turns never becomes a mark of the template.
   *
   * @throws HarnessError `E_MODEL_BAD_REQUEST` when the template takes no such turns.
   */
  tokenize(turns: readonly Turn[]): Token[]
  /** Texts that end the model's turn, beside its own end tokens. */
  readonly stops: readonly string[]
}

/** The chat format of a model file: its own chat template, or one that is known for its family. */
export function chatFormatOf(model: LlamaModel, binding: Binding): ChatFormat {
  const wrapper = wrapperOf(model, binding)
  const contextOf = (turns: readonly Turn[]) => {
    const chatHistory: ChatHistoryItem[] = [...turns.map(historyItem), { type: 'model', response: [] }]
    return rendered(() => wrapper.generateContextState({ chatHistory }))
  }
  return {
    tokenize(turns) {
      const { contextText, noPrefixTrigger } = contextOf(turns)
      const opening = noPrefixTrigger?.type === 'response' ? [noPrefixTrigger.inject] : []
      const text = binding.LlamaText([contextText, ...opening])
      return withOneBeginning(text.tokenize(model.tokenizer), model)
    },
    stops: contextOf([{ speaker: 'user', text: 'Hello' }]).stopGenerationTriggers.flatMap(stopText),
  }
}

/**
 * The template itself where it runs: to find out whether it equals one that is known takes seconds. Models that would
 * think first are told not to.
 */
function wrapperOf(model: LlamaModel, { JinjaTemplateChatWrapper, resolveChatWrapper }: Binding): ChatWrapper {
  const template = model.fileInfo.metadata?.tokenizer?.chat_template
  try {
    if (template !== undefined && template.trim() !== '') {
      const { tokenizer } = model
      return new JinjaTemplateChatWrapper({
        template,
        tokenizer,
        reasoning: false,
        functionCallMessageTemplate: 'noJinja',
      })
    }
  } catch {
    // a template that does not run: what is known of the family is the next best
  }
  return resolveChatWrapper(model, { noJinja: true, warningLogs: false })
}

function historyItem({ speaker, text }: Turn): ChatHistoryItem {
  return speaker === 'model' ? { type: 'model', response: [text] } : { type: speaker, text }
}

function rendered<T>(render: () => T): T {
  try {
    return render()
  } catch (cause) {
    throw new HarnessError('E_MODEL_BAD_REQUEST', {
      message: 'The chat template of the model takes no such messages.',
      hint: 'Use the weights of a model that is made to chat and to take instructions.',
      cause,
    })
  }
}

/** Only what is plain text: marks of the template are tokens that end a turn by themselves. Line ends would cut JSON short. */
function stopText({ values }: LlamaText): string[] {
  const texts = values.filter((value) => typeof value === 'string')
  const text = texts.join('')
  return texts.length < values.length || text.trim() === '' ? [] : [text]
}

/** One token of the beginning where the model wants one: some templates bring it, some twice. */
function withOneBeginning(tokens: Token[], { tokens: special }: LlamaModel): Token[] {
  const { bos } = special
  if (bos === null) return tokens
  const rest = tokens.findIndex((token) => token !== bos)
  const brought = rest < 0 ? tokens.length : rest
  if (brought > 0) return tokens.slice(brought - 1)
  return special.shouldPrependBosToken ? [bos, ...tokens] : tokens
}
