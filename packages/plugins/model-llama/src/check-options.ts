import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import { HarnessError, systemClock } from '@harnesswright/core'
import { DEFAULT_SAMPLING, type Sampling } from './engine/sampling.js'
import { type GgufHeader, readGgufHeader } from './gguf/read-header.js'
import type { LlamaModelOptions } from './options.js'
import { fetchedFile } from './weights/fetched-file.js'
import { findWeights, type Weights } from './weights/table.js'

const DEFAULT_CONTEXT = 8_192
const DEFAULT_OUTPUT = 1_024
/** The steps of a run, and what is asked between them. */
const DEFAULT_CONVERSATIONS = 2
/** Below it nothing but an overflow can come of a request. */
const LEAST_CONTEXT = 256
const MOST_SEED = 2 ** 32 - 1

/** Options with their defaults, checked against the file. */
export interface Checked
  extends Required<
    Pick<
      LlamaModelOptions,
      'id' | 'file' | 'contextTokens' | 'conversations' | 'maxOutputTokens' | 'threads' | 'seed' | 'clock'
    >
  > {
  readonly sampling: Required<Sampling>
}

/**
 * The options of a model with their defaults.
 *
 * @throws HarnessError `E_LLAMA_OPTIONS` that names the option, `E_LLAMA_WEIGHTS` or `E_LLAMA_NOT_FETCHED` for the name of weights,
 * `E_LLAMA_FILE` when the file is no model.
 */
export function checkOptions(options: LlamaModelOptions): Checked {
  const weights = options.weights === undefined ? undefined : findWeights(options.weights)
  const file = fileOf(options, weights)
  const header = readGgufHeader(file)
  checkNumbers(options)
  const contextTokens = contextOf(options, header)
  return {
    id: options.id ?? weights?.id ?? basename(file).replace(/\.gguf$/i, ''),
    file,
    contextTokens,
    conversations: options.conversations ?? DEFAULT_CONVERSATIONS,
    maxOutputTokens: Math.min(options.maxOutputTokens ?? DEFAULT_OUTPUT, Math.floor(contextTokens / 2)),
    threads: options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    sampling: { ...DEFAULT_SAMPLING, ...weights?.sampling, ...options.sampling },
    seed: options.seed ?? 0,
    clock: options.clock ?? systemClock,
  }
}

function fileOf({ file, folder }: LlamaModelOptions, weights: Weights | undefined): string {
  if (file !== undefined && weights === undefined) return resolve(file)
  if (file === undefined && weights !== undefined && folder !== undefined) return fetchedFile(weights, folder)
  throw refused(
    file !== undefined ? '"file" and "weights" both name a model.' : 'Nothing names a model file.',
    'Give "file", or "weights" and the "folder" where they are.',
  )
}

function contextOf({ contextTokens }: LlamaModelOptions, { contextTokens: trained }: GgufHeader): number {
  if (contextTokens !== undefined && contextTokens > trained) {
    throw refused(
      `"contextTokens" is ${contextTokens}: the model was trained with ${trained}.`,
      `Give at most ${trained}, or leave it out.`,
    )
  }
  return contextTokens ?? Math.min(DEFAULT_CONTEXT, trained)
}

interface Range {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly isWhole: boolean
}

const { MAX_SAFE_INTEGER: MOST } = Number

const RANGES: readonly Range[] = [
  { name: 'contextTokens', least: LEAST_CONTEXT, most: MOST, isWhole: true },
  { name: 'conversations', least: 1, most: 16, isWhole: true },
  { name: 'maxOutputTokens', least: 1, most: MOST, isWhole: true },
  { name: 'threads', least: 1, most: 1_024, isWhole: true },
  { name: 'seed', least: 0, most: MOST_SEED, isWhole: true },
  { name: 'sampling.temperature', least: 0, most: 10, isWhole: false },
  { name: 'sampling.topP', least: 0, most: 1, isWhole: false },
  { name: 'sampling.topK', least: 0, most: MOST, isWhole: true },
  { name: 'sampling.minP', least: 0, most: 1, isWhole: false },
  { name: 'sampling.repeatPenalty', least: 0.1, most: 10, isWhole: false },
]

function checkNumbers(options: LlamaModelOptions): void {
  for (const { name, least, most, isWhole } of RANGES) {
    const value = optionOf(options, name)
    if (value === undefined) continue
    if (typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))) continue
    const kind = isWhole ? 'a whole number' : 'a number'
    throw refused(
      `"${name}" is ${String(value)}: ${kind} from ${least}${most === MOST ? '' : ` to ${most}`} was expected.`,
      'Give such a number, or leave it out.',
    )
  }
}

function optionOf(options: LlamaModelOptions, name: string): unknown {
  const [first = '', second] = name.split('.')
  const value = (options as { readonly [name: string]: unknown })[first]
  if (second === undefined) return value
  return typeof value === 'object' && value !== null
    ? (value as { readonly [name: string]: unknown })[second]
    : undefined
}

function refused(message: string, hint: string): HarnessError {
  return new HarnessError('E_LLAMA_OPTIONS', { message, hint })
}
