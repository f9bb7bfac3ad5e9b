#!/usr/bin/env node
// Kills benches at random points (SIGKILL) and goes on with them, until they are whole. A line that was whole at a kill must
// stay as it is, and the results must be those of a bench that nobody killed, to the byte.
//   node scripts/kill-bench.mjs [--kills 10] [--rng 1] [--harness react,resum] [--worlds quotes,lookup-chain] [--rngs 4] [--json]
//     --built: the compiled command line, which starts sooner; else the TypeScript sources
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    rng: { type: 'string', default: '1' },
    harness: { type: 'string', default: 'react,resum' },
    worlds: { type: 'string', default: 'quotes,lookup-chain' },
    rngs: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'kill-bench-'))
/** A process is killed before it has added this share of all results. */
const MOST_ADDED = 0.25
const counts = { kills: 0, benches: 0, inTheMiddle: 0, torn: 0, faults: [] }

const PROGRAM = values.built
  ? ['packages/cli/dist/bin.js']
  : ['--import', 'tsx', '--conditions=@harnesswright/source', 'packages/cli/src/bin.ts']

/**
 * Lets a process begin a bench, or go on with it, to its end or its death; gives whether it was killed.
 *
 * @param kill - When: so many results after those that are there, and then so many ms.
 */
async function proceed(name, { concurrency, kill }) {
  const { harness, worlds, rngs } = values
  const options = { harness, worlds, rngs, concurrency, model: 'sim-mid', out: join(folder, name) }
  const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, String(value)])
  const child = spawn(process.execPath, [...PROGRAM, 'bench', 'worlds', '--quiet', ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HARNESSWRIGHT_HOME: join(folder, 'home') },
  })
  const told = []
  child.stderr.on('data', (text) => told.push(text))
  let isGone = false
  const gone = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal }))).finally(() => {
    isGone = true
  })
  const first = linesOf(name).length
  while (!isGone && !isClaimed(name, child.pid)) await sleep(5) // starting takes most of its time, and nothing can go wrong then
  const begun = performance.now()
  if (kill !== undefined) {
    while (!isGone && linesOf(name).length < first + kill.afterResults) await sleep(1)
    await sleep(kill.afterMs)
    child.kill('SIGKILL')
  }
  const { code, signal } = await gone
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`a process ended with ${code ?? signal}: ${told.join('')}`)
  return { isKilled: signal === 'SIGKILL', ms: performance.now() - begun }
}

/** A file of a bench, or nothing where it is not there: a process at work may take one away at any time. */
function readIfThere(name, file) {
  try {
    return readFileSync(join(folder, name, file), 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return ''
  }
}

const isClaimed = (name, pid) => readIfThere(name, 'pid') === String(pid)
const textOf = (name) => readIfThere(name, 'results.jsonl')

/** Lines that are whole. */
const linesOf = (name) => textOf(name).split('\n').slice(0, -1)

/** A bench that is killed until it is whole, or until there were kills enough. */
async function oneBench(name, whole, random) {
  counts.benches += 1
  const msOfRun = whole.ms / whole.lines.length
  const most = Math.ceil(whole.lines.length * MOST_ADDED)
  while (counts.kills < Number(values.kills)) {
    const before = linesOf(name)
    const kill = { afterResults: Math.floor(random() * most), afterMs: random() * 2 * msOfRun }
    const { isKilled } = await proceed(name, { concurrency: 1 + Math.floor(random() * 8), kill })
    keep(name, before)
    if (!isKilled) return
    counts.kills += 1
    const done = linesOf(name).length
    if (done > 0 && done < whole.lines.length) counts.inTheMiddle += 1
    if (!/(^|\n)$/.test(textOf(name))) counts.torn += 1
  }
  const before = linesOf(name)
  await proceed(name, { concurrency: 8 })
  keep(name, before)
}

/** What was done before a process is so after it. */
function keep(name, before) {
  const after = new Set(linesOf(name))
  for (const line of before)
    if (!after.has(line)) counts.faults.push(`a line of ${name} was lost: ${line.slice(0, 80)}`)
}

/** Numbers in [0, 1) that depend on the seed alone. When a kill lands depends on the computer all the same. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

try {
  const { ms } = await proceed('whole', { concurrency: 1 })
  const whole = { ms, lines: linesOf('whole') }
  const random = randomFrom(Number(values.rng))
  while (counts.kills < Number(values.kills)) {
    const name = `killed-${counts.benches}`
    await oneBench(name, whole, random)
    if (textOf(name) !== textOf('whole'))
      counts.faults.push(`the results of ${name} are not those of a bench nobody killed`)
    const left = readdirSync(join(folder, name)).sort()
    if (left.join() !== 'bench.json,results.jsonl') counts.faults.push(`${name} has left ${left.join(', ')}`)
  }
  if (values.json) console.log(JSON.stringify({ ...counts, runs: whole.lines.length }))
  else {
    const { kills, benches, inTheMiddle, torn } = counts
    console.log(
      `${kills} kills of ${benches} benches of ${whole.lines.length} runs: ${inTheMiddle} with some runs done and others not, ${torn} in the middle of a line`,
    )
    for (const fault of counts.faults) console.error(`fault: ${fault}`)
  }
  process.exitCode = counts.faults.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
