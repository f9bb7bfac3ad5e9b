import type { LlamaContextSequenceRepeatPenalty, Token } from 'node-llama-cpp'

/** How the next token is drawn. */
export interface Sampling {
  /** 0 takes the likeliest token. Default 0.2. */
  readonly temperature?: number
  /** Share of the likeliest tokens that may be drawn, 0 to 1. Default 0.95. */
  readonly topP?: number
  /** Number of the likeliest tokens that may be drawn; 0 is all. Default 40. */
  readonly topK?: number
  /** Least likelihood beside that of the likeliest token, 0 to 1. Default 0. */
  readonly minP?: number
  /** Above 1, the last 64 tokens of the reply become less likely. It also hits the marks of JSON. Default 1. */
  readonly repeatPenalty?: number
}

/** Where nothing else is said: near what small models are recommended with for instructions. */
export const DEFAULT_SAMPLING = { temperature: 0.2, topP: 0.95, topK: 40, minP: 0, repeatPenalty: 1 } as const

const PENALISED_TOKENS = 64

/** The option of the binding for a penalty on what was said. */
export function penaltyOn(
  said: readonly Token[],
  penalty: number,
): { repeatPenalty?: LlamaContextSequenceRepeatPenalty } {
  if (penalty === 1) return {}
  return {
    repeatPenalty: {
      penalty,
      maxPunishTokens: PENALISED_TOKENS,
      punishTokens: () => said.slice(-PENALISED_TOKENS),
    },
  }
}
