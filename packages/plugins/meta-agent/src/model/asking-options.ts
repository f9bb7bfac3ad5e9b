import { HarnessError } from '@harnesswright/core'
import type { ModelDialect } from '@harnesswright/plugin-manifest'

/** How a model is asked for manifests. */
export interface AskingOptions {
  /** Manifests that are asked for at once, 1 to 8. They are tried in turn. Default 3, and fewer where the limits are tight. */
  readonly candidates?: number
  /** From 0 to 2. Default 1, so that the candidates differ. */
  readonly temperature?: number
  /**
   * How replies are bound: `openai` for strict structured outputs, which other endpoints that take a JSON Schema take too,
   * `gbnf` for grammars, `none` where no schema is taken. Default: `openai` for a model that takes one, else `none`.
   */
  readonly dialect?: ModelDialect | 'none'
  /** Longest wait for one reply in ms. Default 120,000. */
  readonly timeoutMs?: number
  /** Most tokens of one reply. Default 4,096. */
  readonly maxTokens?: number
  /** Random seed of the first candidate; the others follow. Default 1. */
  readonly seed?: number
}

/** How a model is asked, with every default. `dialect` is left open where it depends on the model. */
export type Asking = Required<Omit<AskingOptions, 'dialect'>> & Pick<AskingOptions, 'dialect'>

const DIALECTS: readonly unknown[] = ['openai', 'gbnf', 'none', undefined]

/** @throws HarnessError `E_COMPOSE_OPTIONS` when an option has a value that means nothing. */
export function checkAsking(options: AskingOptions = {}): Asking {
  const { candidates = 3, temperature = 1, timeoutMs = 120_000, maxTokens = 4_096, seed = 1, dialect } = options
  const within = (value: number, least: number, most: number): boolean => value >= least && value <= most
  refuse(
    !(Number.isInteger(candidates) && within(candidates, 1, 8)),
    'candidates',
    candidates,
    'an integer from 1 to 8',
  )
  refuse(!within(temperature, 0, 2), 'temperature', temperature, 'a number from 0 to 2')
  refuse(!(timeoutMs > 0), 'timeoutMs', timeoutMs, 'a number of ms above 0')
  refuse(!(Number.isInteger(maxTokens) && maxTokens > 0), 'maxTokens', maxTokens, 'a whole number of tokens above 0')
  refuse(!Number.isInteger(seed), 'seed', seed, 'an integer')
  refuse(!DIALECTS.includes(dialect), 'dialect', dialect, '"openai", "gbnf" or "none"')
  return { candidates, temperature, timeoutMs, maxTokens, seed, ...(dialect === undefined ? {} : { dialect }) }
}

function refuse(isWrong: boolean, name: keyof AskingOptions, found: unknown, expected: string): void {
  if (!isWrong) return
  throw new HarnessError('E_COMPOSE_OPTIONS', {
    message: `The option asking.${name} of compose is ${JSON.stringify(found) ?? String(found)}; expected ${expected}.`,
    hint: `Give asking.${name} ${expected}, or leave it out.`,
  })
}
