// Kills a command of the command line at random points (SIGKILL) and lets it go on, until it is whole. `kill-bench.mjs` and
// `kill-stream.mjs` say which command, and what must hold of what it leaves. One kill of two lands by the clock, the other at
// a write to a file.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
/** A process is killed before it has added this share of all lines. */
const MOST_ADDED = 0.25
/** A process that is killed at a write is so at one of its first ones. */
const MOST_WRITES = 30
/** Processes that one command is killed in at most, then it is left to end: what comes at its end has to be reached too. */
const MOST_KILLS = 8

/** The options that every such script has, and its own with their defaults. */
export function readOptions(own) {
  const texts = { kills: '10', rng: '1', ...own }
  const options = Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, { type: 'string', default: value }]),
  )
  const flag = { type: 'boolean', default: false }
  return parseArgs({ options: { ...options, json: flag, built: flag } }).values
}

/**
 * Does a command whole, then kills others like it as often as `kills` says, and tells on standard output what was found. The exit
 * code is 1 where something does not hold.
 *
 * @param subject - `what`: the command in the plural. `file`: in its directory, with a line for what is done. `words(directory,
 *   concurrency)`: its arguments. `faultsOf(directory, whole)`: what does not hold of one that is done, in sentences, beside one
 *   that nobody killed.
 */
export async function killUntilWhole(subject, options) {
  const folder = mkdtempSync(join(tmpdir(), `kill-${subject.what}-`))
  try {
    const counts = { kills: 0, [subject.what]: 0, inTheMiddle: 0, torn: 0, faults: [] }
    const whole = await wholeOne(subject, { folder, options })
    const random = randomFrom(Number(options.rng))
    while (counts.kills < Number(options.kills)) {
      const directory = join(folder, `killed-${counts[subject.what]}`)
      counts[subject.what] += 1
      await killedOne(subject, { directory, folder, options, whole, counts, random })
      for (const fault of subject.faultsOf(directory, whole.directory)) counts.faults.push(`${directory}: ${fault}`)
    }
    tell(subject, { counts, whole, options })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What one that nobody kills leaves, and how long it takes in ms. */
async function wholeOne(subject, { folder, options }) {
  const directory = join(folder, 'whole')
  const { ms } = await proceed(subject, { directory, folder, options, concurrency: 1 })
  return { directory, ms, lines: linesOf(join(directory, subject.file)) }
}

/** One that is killed until it is whole, or until there were kills enough. */
async function killedOne(subject, { directory, folder, options, whole, counts, random }) {
  const file = join(directory, subject.file)
  const msOfRun = whole.ms / whole.lines.length
  for (let times = 0; ; times += 1) {
    const isSpared = times === MOST_KILLS || counts.kills >= Number(options.kills)
    const kill = drawKill({ random, msOfRun, runs: whole.lines.length })
    const before = linesOf(file)
    const concurrency = 1 + Math.floor(random() * 8)
    const settings = { directory, folder, options, concurrency, ...(isSpared ? {} : { kill }) }
    const { isKilled } = await proceed(subject, settings)
    counts.faults.push(...lostLines(file, before))
    if (!isKilled) return
    counts.kills += 1
    const done = linesOf(file).length
    if (done > 0 && done < whole.lines.length) counts.inTheMiddle += 1
    if (!/(^|\n)$/.test(readIfThere(file))) counts.torn += 1
  }
}

/** When a process is killed: at a write, or so many lines after those that are there and then so many ms. */
function drawKill({ random, msOfRun, runs }) {
  const [share, choice] = [random(), Math.floor(random() * 6)]
  const when = ['before', 'within', 'after'][choice]
  if (when !== undefined) return { atWrite: `${1 + Math.floor(share * MOST_WRITES)} ${when}` }
  return { afterLines: Math.floor(share * Math.ceil(runs * MOST_ADDED)), afterMs: random() * 2 * msOfRun }
}

/** Lets a process begin, or go on, to its end or its death; gives whether it was killed. */
async function proceed(subject, { directory, folder, options, concurrency, kill }) {
  const program = options.built
    ? ['packages/cli/dist/bin.js']
    : ['--import', 'tsx', '--conditions=@harnesswright/source', 'packages/cli/src/bin.ts']
  const { atWrite } = kill ?? {}
  const preload = atWrite === undefined ? [] : ['--import', './scripts/kill-at-write.mjs']
  const child = spawn(process.execPath, [...preload, ...program, ...subject.words(directory, concurrency)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HARNESSWRIGHT_HOME: join(folder, 'home'), KILL_AT_WRITE: atWrite },
  })
  const told = []
  child.stderr.on('data', (text) => told.push(text))
  let isGone = false
  const gone = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal }))).finally(() => {
    isGone = true
  })
  const file = join(directory, subject.file)
  const first = linesOf(file).length
  const isClaimed = () => readIfThere(join(directory, 'pid')) === String(child.pid)
  while (!isGone && !isClaimed()) await sleep(5) // starting takes most of its time, and nothing can go wrong then
  const begun = performance.now()
  if (kill !== undefined && atWrite === undefined) {
    while (!isGone && linesOf(file).length < first + kill.afterLines) await sleep(1)
    await sleep(kill.afterMs)
    child.kill('SIGKILL')
  }
  const { code, signal } = await gone
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`a process ended with ${code ?? signal}: ${told.join('')}`)
  return { isKilled: signal === 'SIGKILL', ms: performance.now() - begun }
}

/** The text of a file, or nothing where it is not there: a process at work may take one away at any time. */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return ''
  }
}

/** Lines that are whole. */
export function linesOf(file) {
  return readIfThere(file).split('\n').slice(0, -1)
}

/** What was done before a process is so after it. */
function lostLines(file, before) {
  const after = new Set(linesOf(file))
  return before.filter((line) => !after.has(line)).map((line) => `a line of ${file} was lost: ${line.slice(0, 80)}`)
}

function tell({ what }, { counts, whole, options }) {
  const { faults, ...numbers } = counts
  if (options.json) console.log(JSON.stringify({ ...counts, runs: whole.lines.length }))
  else {
    const { kills, inTheMiddle, torn } = numbers
    console.log(
      `${kills} kills of ${numbers[what]} ${what} of ${whole.lines.length} runs: ${inTheMiddle} with some runs done and others not, ${torn} in the middle of a line`,
    )
    for (const fault of faults) console.error(`fault: ${fault}`)
  }
  process.exitCode = faults.length === 0 ? 0 : 1
}

/** Numbers in [0, 1) that depend on the seed alone. When a kill lands depends on the computer all the same. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
