#!/usr/bin/env node
// Kills streams at random points (SIGKILL) and goes on with them, until they are whole. A run that was whole at a kill is made
// once, the summary is that of a stream that nobody killed, and every run stands in the bank once, with its harness.
//   node scripts/kill-stream.mjs [--kills 10] [--rng 1] [--harness react,…] [--worlds quotes,…] [--rngs 4] [--orders 4] [--json]
//     --built: the compiled command line, which starts sooner; else the TypeScript sources
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { killUntilWhole, linesOf, readIfThere, readOptions } from './killing.mjs'

const options = readOptions({
  harness: 'react,resum,flash-searcher',
  worlds: 'quotes,lookup-chain,wide-search',
  rngs: '4',
  orders: '4',
})
const { harness, worlds, rngs, orders } = options
const RUNS = 'runs.jsonl'
/** Figures of a stream, each a file. */
const SAME = ['settings.json', 'evidence.json', 'stream.svg']
const COMPOSED = 'composed.json'

const bankOf = (directory) => `${directory}-bank`

function words(out, concurrency) {
  // The small model fails at times, so that a stream has something to explore.
  const named = { harness, worlds, rngs, orders, concurrency, model: 'sim-small', bank: bankOf(out), out }
  const given = Object.entries(named).flatMap(([option, value]) => [`--${option}`, String(value)])
  return ['stream', '--quiet', ...given]
}

function* faultsOf(directory, whole) {
  for (const name of SAME)
    if (readIfThere(join(directory, name)) !== readIfThere(join(whole, name)))
      yield `${name} is not that of a stream nobody killed`
  const [own, other] = [summaryOf(directory), summaryOf(whole)]
  if (!isDeepStrictEqual(own, other)) yield `the summary differs: ${JSON.stringify(own)}, not ${JSON.stringify(other)}`
  const left = readdirSync(directory).sort()
  if (left.join() !== [...SAME, COMPOSED, RUNS, 'summary.json'].sort().join()) yield `it has left ${left.join(', ')}`
  yield* faultsOfRuns(directory, whole)
  yield* faultsOfBank(bankOf(directory), bankOf(whole))
}

/** Without where it lies. */
function summaryOf(directory) {
  const { runs, plot, ...figures } = JSON.parse(readIfThere(join(directory, 'summary.json')) || '{}')
  return figures
}

function* faultsOfRuns(directory, whole) {
  const file = join(directory, RUNS)
  if (!readIfThere(file).endsWith('\n')) yield 'the last run is cut short'
  const runs = linesOf(file)
  for (const key of twice(runs.map((line) => keyOf(JSON.parse(line))))) yield `the run ${key} is there twice`
  if (!isDeepStrictEqual(runs.sort(), linesOf(join(whole, RUNS)).sort())) yield 'the runs are not those of the other'
}

const keyOf = ({ task, choice, seed }) => JSON.stringify([task, choice, seed])

const twice = (keys) => [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))]

function* faultsOfBank(bank, whole) {
  const entries = entriesOf(bank)
  for (const kind of ['evaluation', 'harness'])
    for (const id of twice(idsOf(entries, kind))) yield `the ${kind} ${id} is in the bank twice`
  const others = entriesOf(whole)
  for (const kind of ['evaluation', 'harness', 'cluster']) {
    const [own, other] = [new Set(idsOf(entries, kind)), new Set(idsOf(others, kind))]
    for (const id of other) if (!own.has(id)) yield `the ${kind} ${id} is missing from the bank`
    for (const id of own) if (!other.has(id)) yield `the ${kind} ${id} is in the bank, and in no other`
  }
  const [own, other] = [timeless(entries), timeless(others)]
  if (!isDeepStrictEqual(own, other)) yield 'evaluations in the bank are not those of the other'
}

/** Entries of the log. A line that a kill cut short is none, as the bank itself leaves it out; nor is an empty one. */
function entriesOf(bank) {
  return readIfThere(join(bank, 'log.jsonl'))
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

function idsOf(entries, kind) {
  return entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
}

/** Evaluations without when they were written, by their ids. */
function timeless(entries) {
  const evaluations = entries.filter(({ kind }) => kind === 'evaluation')
  return new Map(evaluations.map(({ at, ...evaluation }) => [evaluation.id, evaluation]))
}

await killUntilWhole({ what: 'streams', file: RUNS, words, faultsOf }, options)
