import { join } from 'node:path'
import { findWeights, lookForWeights } from '../../src/index.js'
import { noLlama } from './llama-here.js'

/** Where real weights are looked for. */
const folder =
  process.env['HARNESSWRIGHT_WEIGHTS'] ?? join(import.meta.dirname, '../../../../../node_modules/.cache/weights')

/** Real weights by their name, and why tests cannot use them where they cannot. */
export function realWeights(id: string): { readonly file: string; readonly missing: string | undefined } {
  const { file, isThere } = lookForWeights(findWeights(id), folder)
  const missing = noLlama ?? (isThere ? undefined : 'no weights; node scripts/fetch-test-weights.mjs gets them')
  return { file, missing }
}
