#!/usr/bin/env node
// Kills benches at random points (SIGKILL) and goes on with them, until they are whole. A line that was whole at a kill must
// stay as it is, and the results must be those of a bench that nobody killed, to the byte.
//   node scripts/kill-bench.mjs [--kills 10] [--rng 1] [--harness react,resum] [--worlds quotes,lookup-chain] [--rngs 4] [--json]
//     --built: the compiled command line, which starts sooner; else the TypeScript sources
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { killUntilWhole, readIfThere, readOptions } from './killing.mjs'

const options = readOptions({ harness: 'react,resum', worlds: 'quotes,lookup-chain', rngs: '4' })
const { harness, worlds, rngs } = options
const RESULTS = 'results.jsonl'

function words(out, concurrency) {
  const named = { harness, worlds, rngs, concurrency, model: 'sim-mid', out }
  const given = Object.entries(named).flatMap(([option, value]) => [`--${option}`, String(value)])
  return ['bench', 'worlds', '--quiet', ...given]
}

function* faultsOf(directory, whole) {
  if (readIfThere(join(directory, RESULTS)) !== readIfThere(join(whole, RESULTS)))
    yield 'the results are not those of a bench nobody killed'
  const left = readdirSync(directory).sort()
  if (left.join() !== `bench.json,${RESULTS}`) yield `it has left ${left.join(', ')}`
}

await killUntilWhole({ what: 'benches', file: RESULTS, words, faultsOf }, options)
