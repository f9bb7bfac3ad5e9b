#!/usr/bin/env node
// Kills runs at random points (SIGKILL) and goes on with them from their journals, often more than once, until they end.
// No call may be carried out twice, a call may be told as unknown only if it was under way at a kill, and every run must
// end with the answer of a run that nobody killed.
//   node scripts/kill-runs.mjs [--kills 100] [--rng 1] [--jobs 2] [--json]
//     --source: on the TypeScript sources, bundled first (no build is needed); else on the compiled packages
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    rng: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
    worker: { type: 'string' }, // the folder of one run: this process makes it, or goes on with it
    code: { type: 'string', default: join(import.meta.dirname, '../packages/core/dist') },
  },
})
const CORE = join(import.meta.dirname, '../packages/core')
/** Marks of the root: with two calls in every fourth step, and a step of two child runs, these are 20 steps. */
const MARKS = 25
const SPAWNS_AT = 10
/** Each of these kills of one run is survived with this probability; then it is left to end. */
const KILLED_AGAIN = 0.4

/* ---- one process: it begins a run, or goes on with the one in the journal of its folder ---- */

async function work(folder) {
  const load = (entry) => import(pathToFileURL(join(values.code, entry)).href)
  const { createEnvironment, defineModule } = await load('index.js')
  const { createFileJournal, readJournal } = await load('node/index.js')
  const { assembleModules, minimalAction } = await load('testkit/index.js')
  const file = join(folder, 'journal.jsonl')
  const snapshot = existsSync(file) ? await readJournal(file) : { version: 1, runs: {} }
  const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
  tell({ open: openCalls(snapshot) })

  const env = createEnvironment({
    model: markingModel(),
    tools: [markTool(folder)],
    journal: await createFileJournal(file),
  })
  const harness = await assembleModules({ action: marking(defineModule, minimalAction) }, env)
  const run = snapshot.runs[''] === undefined ? harness.run(`Mark ${MARKS} times.`) : await harness.resume(snapshot)
  const result = await run.result
  const { status, answer, error, warnings } = result
  tell({ status, answer, error, warnings, unknown: unknownCalls('', result), calls: callsOf('', result) })
}

/** Answers as a function of the request alone, after a while. */
function markingModel() {
  const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, reasoningTokens: 0, source: 'known' }
  return {
    id: 'marker',
    supports: { tools: true, jsonSchema: true },
    async generate({ messages }) {
      await sleep(1 + Math.random() * 6)
      const task = messages.find(({ role }) => role === 'user').content
      const seen = messages.filter(({ role, note }) => role === 'tool' || note === 'result').length
      if (seen >= Number(/Mark (\d+) times/.exec(task)[1])) return { content: `seen ${seen}`, finish: 'stop', usage }
      const places = seen % 5 === 4 ? [seen, seen + 1] : [seen]
      const toolCalls = places.map((at) => ({ id: '', name: 'mark', arguments: JSON.stringify({ at }) }))
      return { content: `I saw ${seen}.`, toolCalls, finish: 'tool_calls', usage }
    },
  }
}

/** Appends a line with the id of its call: to make it twice can be seen. */
function markTool(folder) {
  return {
    name: 'mark',
    description: 'Makes a mark.',
    parameters: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
    async execute({ at }, { path, callId, put }) {
      await sleep(Math.random() * 4)
      appendFileSync(join(folder, 'marks.txt'), `${path}#${callId}\n`)
      await sleep(Math.random() * 4)
      return `marked ${at} ${'·'.repeat(400)} ${put({ at })}`
    },
  }
}

/** Marks, in one step by two child runs; counts in its state what it recorded, and answers with it. */
function marking(defineModule, minimalAction) {
  return defineModule({
    ...minimalAction,
    state: () => ({ recorded: 0 }),
    async act(ctx) {
      if (ctx.depth === 0 && ctx.step === SPAWNS_AT)
        return { kind: 'spawn', runs: ['a', 'b'].map((id) => ({ id, task: { instruction: 'Mark 3 times.' } })) }
      const action = await minimalAction.act(ctx)
      return action.kind === 'answer'
        ? { ...action, answer: `${action.answer}, recorded ${ctx.state.recorded}` }
        : action
    },
    record(_step, ctx) {
      ctx.state.recorded += 1
    },
  })
}

/** Calls that have begun and have no outcome, by path and id. */
function openCalls({ runs }) {
  return Object.entries(runs).flatMap(([path, { pending, end }]) => {
    if (pending === undefined || end !== undefined || pending.action.kind !== 'call') return []
    return pending.started.filter((id) => pending.outcomes[id] === undefined).map((id) => `${path}#${id}`)
  })
}

function observations(path, { steps, children }) {
  const own = steps.flatMap((step) => (step.action.kind === 'call' ? step.observations : []))
  const named = own.map((observation) => ({ ...observation, at: `${path}#${observation.callId}` }))
  return [...named, ...Object.entries(children).flatMap(([child, result]) => observations(child, result))]
}

function callsOf(path, result) {
  return observations(path, result).map(({ at }) => at)
}

function unknownCalls(path, result) {
  return observations(path, result)
    .filter(({ error }) => error?.code === 'E_TOOL_UNKNOWN_OUTCOME')
    .map(({ at }) => at)
}

/* ---- the process that kills ---- */

async function supervise() {
  await inFolder(async (folder) => {
    const code = values.source ? await bundle(folder) : values.code
    const random = randomFrom(Number(values.rng))
    const wanted = Number(values.kills)
    const whole = await inFolder((run) => proceed(code, run))
    const figures = { kills: 0, runs: 0, underWay: 0, twice: 0, marked: 0, torn: 0, faults: [] }
    const lane = async () => {
      while (figures.kills < wanted) await inFolder((run) => oneRun(run, figures, { code, whole, random, wanted }))
    }
    const begun = performance.now()
    await Promise.all(Array.from({ length: Number(values.jobs) }, lane))
    report(figures, whole, Math.round((performance.now() - begun) / 100) / 10)
  })
}

/** The sources of core as scripts that start at once. */
async function bundle(outDir) {
  const { build } = await import('vite')
  const input = Object.fromEntries(
    ['', 'node/', 'testkit/'].map((name) => [`${name}index`, `${CORE}/src/${name}index.ts`]),
  )
  const conditions = ['@harnesswright/source']
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
    },
  })
  return outDir
}

function report({ faults, ...counts }, { answer }, seconds) {
  if (values.json) console.log(JSON.stringify({ ...counts, faults, seconds, answer }))
  else {
    console.log(`${counts.kills} kills of ${counts.runs} runs in ${seconds} s; the answer: ${answer}`)
    console.log(`${counts.underWay} calls were under way at a kill, of which ${counts.marked} had been carried out`)
    console.log(`${counts.torn} kills tore the last line of a journal; ${counts.twice} calls were carried out twice`)
    for (const fault of faults) console.error(`fault: ${fault}`)
  }
  process.exitCode = faults.length === 0 ? 0 : 1
}

/** A run that is killed at least once, and in the end is not. */
async function oneRun(folder, figures, { code, whole, random, wanted }) {
  const open = new Set()
  let last
  do {
    figures.kills += 1
    last = await proceed(code, folder, random() * whole.ms)
    for (const id of last.open ?? []) open.add(id)
    if (last.status !== undefined)
      figures.kills -= 1 // it was quicker than the kill
    else if (isTorn(join(folder, 'journal.jsonl'))) figures.torn += 1
  } while (last.status === undefined && random() < KILLED_AGAIN && figures.kills < wanted)
  const end = last.status === undefined ? await proceed(code, folder) : last
  for (const id of end.open ?? []) open.add(id)
  figures.runs += 1
  figures.underWay += open.size
  const marks = readFileSync(join(folder, 'marks.txt'), 'utf8').trim().split('\n')
  const times = (id) => marks.filter((mark) => mark === id).length
  const twice = [...new Set(marks)].filter((id) => times(id) > 1)
  figures.twice += twice.length
  figures.marked += [...open].filter((id) => times(id) === 1).length
  const fault = (what) => figures.faults.push(what)
  for (const id of twice) fault(`${id} was carried out ${times(id)} times`)
  for (const id of end.unknown ?? [])
    if (!open.has(id)) fault(`${id} is told as unknown, and was not under way at a kill`)
  for (const id of open)
    if (!end.unknown?.includes(id)) fault(`${id} was under way at a kill, and is not told as unknown`)
  for (const id of end.calls ?? [])
    if (times(id) !== 1 && !open.has(id)) fault(`${id} was carried out ${times(id)} times`)
  if (
    JSON.stringify([end.status, end.answer, end.warnings]) !==
    JSON.stringify([whole.status, whole.answer, whole.warnings])
  )
    fault(`a run ended with ${JSON.stringify(end)}`)
}

/** Lets a process begin or go on, to its end or to its death; gives all that it told, and how long that took. */
async function proceed(code, folder, killAfterMs) {
  const args = [import.meta.filename, '--worker', folder, '--code', code]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise((resolve) => child.on('close', resolve))
  let told = {}
  let begun = 0
  for await (const line of createInterface({ input: child.stdout })) {
    told = { ...told, ...JSON.parse(line) }
    if (begun > 0) continue
    begun = performance.now()
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  }
  const exitCode = await gone
  if (exitCode !== null && exitCode > 0) throw new Error(`a process ended with ${exitCode}`)
  return { ...told, ms: performance.now() - begun }
}

function isTorn(file) {
  return existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'killed-runs-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Numbers in [0, 1) that depend on the seed alone. When a kill lands depends on the computer all the same. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

await (values.worker === undefined ? supervise() : work(values.worker))
