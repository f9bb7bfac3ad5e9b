// How a bank of 10,000 harnesses and 1,000,000 evaluations does, beside the same operations written by hand on the same
// libraries in the same run: rebuild, open, append, retrieve, and the most memory of the bank.
//   npm run build && node packages/plugins/bank/bench/scale.mjs [--harnesses 10000] [--evaluations 1000000] [--keep]
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import Database from 'libsql'
import MiniSearch from 'minisearch'
import { LOG_FILE, openBank } from '../dist/index.js'

const CLUSTERS = 100
const WORDS =
  'quote price log error chain author page search sum table file report city date plan step read write'.split(' ')
/** Appends that are measured, after as many that are not. */
const APPENDS = 2_000
const RETRIEVALS = 100

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    harnesses: { type: 'string', default: '10000' },
    evaluations: { type: 'string', default: '1000000' },
    keep: { type: 'boolean', default: false },
  },
})
const HARNESSES = Number(values.harnesses)
const EVALUATIONS = Number(values.evaluations)

/** A word list that depends on the number alone. */
const wordsOf = (seed, count) =>
  Array.from({ length: count }, (_, index) => WORDS[(seed * 7 + index * index * 3 + index) % WORDS.length]).join(' ')
const idOf = (index) => `sha256:${String(index).padStart(64, '0')}`
const clusterOf = (index) => `tasks-${index % CLUSTERS}`
const lineOf = (entry) => `${JSON.stringify(entry)}\n`

function harnessAt(index) {
  const slot = (name) => ({
    use: `@harnesswright/seed-${WORDS[(index + name.length) % WORDS.length]}#${name}`,
    with: { budget: index },
  })
  const slots = Object.fromEntries(['memory', 'planning', 'capability', 'action'].map((name) => [name, slot(name)]))
  return {
    v: 1,
    kind: 'harness',
    id: idOf(index),
    at: index,
    name: `harness-${index}`,
    manifest: { protocol: 1, name: `harness-${index}`, ...slots, limits: { steps: 40 } },
    card: wordsOf(index, 24),
    status: 'candidate',
    operator: index < 13 ? 'seed' : 'mutate',
    createdBy: 'bench',
    parentIds: [],
    referenceIds: [],
    promptHash: null,
    model: null,
    catalogueVersion: null,
    predicted: null,
  }
}

function clusterAt(index) {
  const exemplars = [0, 1, 2, 3, 4].map((at) => ({ taskId: `t${index}-${at}`, text: wordsOf(index + at * 13, 30) }))
  return {
    v: 1,
    kind: 'cluster',
    id: clusterOf(index),
    at: index,
    version: 1,
    name: `kind ${index}`,
    features: { sources: index },
    exemplars,
  }
}

function evaluationAt(index) {
  const harness = index % HARNESSES
  const round = Math.floor(index / HARNESSES)
  return {
    v: 1,
    kind: 'evaluation',
    id: `e${index}`,
    at: index,
    harnessId: idOf(harness),
    clusterId: clusterOf(harness + (round % 2)),
    backbone: 'sim-mid@1',
    priceTable: '2026-11',
    protocol: 1,
    taskId: `t${index % 5000}`,
    seed: index,
    budget: null,
    reward: (index * 7919) % 10 < 6 ? 1 : 0,
    rewardKind: 'hard',
    masked: false,
    failureKind: null,
    ms: 1000 + (index % 977),
    usd: 0.001 + (index % 89) / 10000,
    inputTokens: 9000 + (index % 701),
    cachedTokens: 100,
    outputTokens: 300 + (index % 97),
    steps: 5,
    repairs: 0,
    traceRef: null,
  }
}

/** Writes the log of the bank. */
function writeLog(directory) {
  const file = openSync(join(directory, LOG_FILE), 'w')
  writeSync(file, lineOf({ v: 1, kind: 'bank', id: 'scale' }))
  let text = ''
  const put = (entry) => {
    text += lineOf(entry)
    if (text.length < 1 << 20) return
    writeSync(file, text)
    text = ''
  }
  for (let index = 0; index < CLUSTERS; index += 1) put(clusterAt(index))
  for (let index = 0; index < HARNESSES; index += 1) put(harnessAt(index))
  for (let index = 0; index < EVALUATIONS; index += 1) put(evaluationAt(index))
  writeSync(file, text)
  closeSync(file)
}

/** Milliseconds of the processor that something takes: what else the computer does has less part in them than in time. */
async function timed(work) {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

const queryAt = (index) => ({
  taskId: `new-${index}`,
  text: wordsOf(index * 31, 20),
  features: { sources: index % CLUSTERS },
  backbone: 'sim-mid@1',
})

/** The bank. */
async function measureBank(directory) {
  const open = async () => await openBank({ directory, index: 'sqlite' })
  let bank
  const rebuild = await timed(async () => {
    bank = await open()
  })
  await bank.close()
  const opened = await timed(async () => {
    bank = await open()
  })
  const first = await timed(async () => await bank.retrieve(queryAt(0)))
  const retrieve = await timed(async () => {
    for (let index = 1; index <= RETRIEVALS; index += 1) await bank.retrieve(queryAt(index))
  })
  const appendFrom = async (from) => {
    for (let index = from; index < from + APPENDS; index += 1) {
      const { v: _v, kind: _kind, ...evaluation } = evaluationAt(EVALUATIONS + index)
      await bank.addEvaluations([evaluation])
    }
  }
  await appendFrom(0)
  const append = await timed(async () => await appendFrom(APPENDS))
  const counts = await bank.counts()
  await bank.close()
  return { rebuild, open: opened, first, retrieve: retrieve / RETRIEVALS, append: append / APPENDS, counts }
}

const TABLES = `
  CREATE TABLE harness (id TEXT PRIMARY KEY, name TEXT, card TEXT, operator TEXT, position INTEGER, bytes INTEGER);
  CREATE TABLE evaluation (id TEXT PRIMARY KEY, harness_id TEXT, task_id TEXT, cluster_id TEXT, backbone TEXT,
    at REAL, position INTEGER, bytes INTEGER);
  CREATE INDEX by_harness ON evaluation (harness_id, at);
  CREATE INDEX by_task ON evaluation (task_id, harness_id);
  CREATE TABLE cluster (id TEXT PRIMARY KEY, body TEXT);
  CREATE TABLE stats (cluster_id TEXT, backbone TEXT, harness_id TEXT, n REAL, reward REAL, squares REAL, usd REAL,
    usd_squares REAL, ms REAL, tokens REAL, PRIMARY KEY (cluster_id, backbone, harness_id));`

/** The same by hand: a statement for each line in one transaction, and what a retrieval needs, in the order of a script. */
async function measureByHand(directory) {
  const path = join(directory, 'by-hand.db')
  const log = join(directory, LOG_FILE)
  const connect = () => {
    const made = new Database(path)
    made.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    return made
  }
  let db = connect()
  db.exec(TABLES)
  const prepare = () => ({
    harness: db.prepare('INSERT INTO harness VALUES (?, ?, ?, ?, ?, ?)'),
    cluster: db.prepare('INSERT INTO cluster VALUES (?, ?)'),
    evaluation: db.prepare('INSERT OR IGNORE INTO evaluation VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    stats: db.prepare(`INSERT INTO stats VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + 1,
      reward = reward + excluded.reward, squares = squares + excluded.squares, usd = usd + excluded.usd,
      usd_squares = usd_squares + excluded.usd_squares, ms = ms + excluded.ms, tokens = tokens + excluded.tokens`),
  })
  let into = prepare()
  const add = (entry, position, bytes) => {
    if (entry.kind === 'harness') into.harness.run(entry.id, entry.name, entry.card, entry.operator, position, bytes)
    if (entry.kind === 'cluster') into.cluster.run(entry.id, JSON.stringify(entry))
    if (entry.kind !== 'evaluation') return
    const { id, harnessId, taskId, clusterId, backbone, at, reward, usd, ms, inputTokens, outputTokens } = entry
    into.evaluation.run(id, harnessId, taskId, clusterId, backbone, at, position, bytes)
    const cost = Math.log(usd)
    into.stats.run(
      clusterId,
      backbone,
      harnessId,
      reward,
      reward * reward,
      cost,
      cost * cost,
      Math.log(ms),
      inputTokens + outputTokens,
    )
  }
  const rebuild = await timed(async () => {
    db.exec('BEGIN')
    let position = 0
    for await (const line of createInterface({ input: createReadStream(log) })) {
      const bytes = Buffer.byteLength(line) + 1
      if (line !== '') add(JSON.parse(line), position, bytes)
      position += bytes
    }
    db.exec('COMMIT')
  })
  db.close()
  const open = await timed(async () => {
    db = connect()
    into = prepare()
    db.prepare('SELECT max(position) AS position FROM harness').get()
  })
  const search = new MiniSearch({ fields: ['text'] })
  const rows = new Map()
  let clusters = []
  const manifests = openSync(log, 'r')
  const retrieveOne = ({ text, features, taskId }) => {
    const near = clusters.toSorted(
      (a, b) => Math.abs(a.features.sources - features.sources) - Math.abs(b.features.sources - features.sources),
    )
    const stats = new Map(
      near.slice(0, 2).flatMap(({ id }) =>
        db
          .prepare('SELECT * FROM stats WHERE cluster_id = ? AND backbone = ?')
          .all(id, 'sim-mid@1')
          .map((row) => [row.harness_id, row]),
      ),
    )
    const seen = new Set(
      db
        .prepare('SELECT DISTINCT harness_id FROM evaluation WHERE task_id = ?')
        .all(taskId)
        .map((row) => row.harness_id),
    )
    const hits = search
      .search(text)
      .slice(0, 50)
      .filter(({ id }) => rows.has(id) && !seen.has(id))
    const score = ({ id }, rank) => (0.25 + (stats.get(id)?.reward ?? 0.5) / (stats.get(id)?.n ?? 1)) / (60 + rank)
    const best = hits
      .map((hit, rank) => ({ hit, score: score(hit, rank) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 5)
    return best.map(({ hit }) => {
      const { position, bytes } = rows.get(hit.id)
      const buffer = Buffer.alloc(bytes)
      readSync(manifests, buffer, 0, bytes, position)
      return JSON.parse(buffer.toString()).manifest
    })
  }
  const first = await timed(async () => {
    for (const row of db.prepare('SELECT * FROM harness').all()) {
      rows.set(row.id, row)
      search.add({ id: row.id, text: `${row.name} ${row.card}` })
    }
    clusters = db
      .prepare('SELECT body FROM cluster')
      .all()
      .map(({ body }) => JSON.parse(body))
    for (const { id, exemplars } of clusters) search.add({ id, text: exemplars.map(({ text }) => text).join('\n') })
    retrieveOne(queryAt(0))
  })
  const retrieve = await timed(async () => {
    for (let index = 1; index <= RETRIEVALS; index += 1) retrieveOne(queryAt(index))
  })
  const copy = join(directory, 'by-hand.jsonl')
  const appendFrom = (from) => {
    for (let index = from; index < from + APPENDS; index += 1) {
      const entry = evaluationAt(EVALUATIONS + index)
      appendFileSync(copy, lineOf(entry))
      db.exec('BEGIN IMMEDIATE')
      add(entry, 0, 0)
      db.exec('COMMIT')
    }
  }
  appendFrom(0)
  const append = await timed(async () => appendFrom(APPENDS))
  db.close()
  return { rebuild, open, first, retrieve: retrieve / RETRIEVALS, append: append / APPENDS }
}

/** One side in a process of its own, so that its memory is its own. */
function inProcess(side, directory) {
  const sizes = ['--harnesses', values.harnesses, '--evaluations', values.evaluations]
  const { status, stdout } = spawnSync(process.execPath, [import.meta.filename, ...sizes, side, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${side} ended with ${status}`)
  return JSON.parse(stdout)
}

function report(directory) {
  mkdirSync(directory, { recursive: true })
  writeLog(directory)
  console.log(
    `${HARNESSES} harnesses, ${EVALUATIONS} evaluations, a log of ${Math.round(statSync(join(directory, LOG_FILE)).size / 2 ** 20)} MB`,
  )
  const byHand = inProcess('by-hand', directory)
  const bank = inProcess('bank', directory)
  for (const name of ['rebuild', 'open', 'first', 'retrieve', 'append']) {
    const ratio = (bank[name] / byHand[name]).toFixed(2)
    console.log(
      `${name.padEnd(9)} ${bank[name].toFixed(2).padStart(10)} ms, by hand ${byHand[name].toFixed(2).padStart(10)} ms: ${ratio} times`,
    )
  }
  console.log(`memory    ${bank.memory} MB at most, by hand ${byHand.memory} MB`)
}

const [side, directory] = positionals
if (side === undefined) {
  const root = mkdtempSync(join(tmpdir(), 'harnesswright-bank-scale-'))
  try {
    report(join(root, 'bank'))
  } finally {
    if (values.keep) console.log(root)
    else rmSync(root, { recursive: true, force: true })
  }
} else {
  const measured = side === 'bank' ? await measureBank(directory) : await measureByHand(directory)
  console.log(JSON.stringify({ ...measured, memory: Math.round(process.resourceUsage().maxRSS / 1024) }))
}
