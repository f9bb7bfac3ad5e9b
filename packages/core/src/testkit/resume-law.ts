import type { Journal, JournalEntry, RunResult, Snapshot, Task } from '@harnesswright/protocol'
import type { Harness } from '../assemble/harness.js'

/** A fresh assembly: nothing of it was used by another run. */
export interface FreshHarness {
  readonly harness: Harness
  /** Requests that its model has got so far. */
  readonly requests: readonly object[]
}

/** What the law is tried on. */
export interface ResumeLawOptions {
  readonly task: Task | string
  readonly seed?: number
  /** Makes a harness on a deterministic model and a virtual clock, with the journal in its environment. */
  fresh(journal: Journal): Promise<FreshHarness>
  /** Called at each point of the first run, and again before it is gone on from: for files, which a snapshot does not hold. */
  readonly keep?: () => Promise<() => Promise<void>>
  /** Tools of the environment that are not idempotent: a run is not gone on from a point at which one is under way. */
  readonly once?: (name: string) => boolean
}

/** What became of the law. */
export interface ResumeLawReport {
  /** Points from which the run was gone on. */
  readonly points: number
  /** Those at which a child run was under way. */
  readonly withChildren: number
  /** What did not hold, in words. */
  readonly faults: readonly string[]
}

/**
 * The resume law: from every point at which something was made durable, a fresh assembly that gets the snapshot as JSON text
 * ends with the same trace, and makes no model request that the first run did not make.
 *
 * @see docs/guide/resume.md
 */
export async function resumeLaw(options: ResumeLawOptions): Promise<ResumeLawReport> {
  const points: { readonly text: string; readonly entry: JournalEntry; readonly restore: () => Promise<void> }[] = []
  let take: () => Snapshot = () => ({ version: 1, runs: {} })
  const first = await options.fresh({
    async append(entry) {
      const text = JSON.stringify(take())
      points.push({ text, entry, restore: (await options.keep?.()) ?? (async () => {}) })
    },
  })
  const run = first.harness.run(options.task, { seed: options.seed ?? 1 })
  take = () => run.snapshot()
  const whole = await run.result
  const expected = traceOf(whole)
  const asked = new Set(first.requests.map((request) => JSON.stringify(request)))
  const faults: string[] = []
  let withChildren = 0
  let tried = 0
  for (const [index, { text, entry, restore }] of points.entries()) {
    const snapshot = JSON.parse(text) as Snapshot
    if (snapshot.runs[''] === undefined || isUnderWay(snapshot, options.once ?? (() => false))) continue
    tried += 1
    if (Object.values(snapshot.runs).filter(({ end }) => end === undefined).length > 1) withChildren += 1
    await restore()
    const again = await options.fresh({ append: () => {} })
    const result = await (await again.harness.resume(snapshot)).result
    const where = `point ${index + 1} of ${points.length} (${describe(entry)})`
    if (traceOf(result) !== expected)
      faults.push(`from ${where} the trace is another: ${difference(traceOf(result), expected)}`)
    const strange = again.requests.find((request) => !asked.has(JSON.stringify(request)))
    if (strange !== undefined) faults.push(`from ${where} the model was asked what it was not asked before`)
  }
  return { points: tried, withChildren, faults }
}

/** A call of a tool that must not be made twice has begun and has no outcome. */
function isUnderWay({ runs }: Snapshot, once: (name: string) => boolean): boolean {
  return Object.values(runs).some(({ pending, end }) => {
    if (pending === undefined || end !== undefined) return false
    const { action, started, outcomes } = pending
    const calls = action.kind === 'call' || action.kind === 'spawn' ? (action.calls ?? []) : []
    return calls.some(({ id, name }) => started.includes(id) && outcomes[id] === undefined && once(name))
  })
}

const TIMES = new Set(['at', 'ms', 'spent', 'session'])

/** All that a run left behind, but for times and costs. */
function traceOf(result: RunResult): string {
  return JSON.stringify(result, (key, value) => (TIMES.has(key) ? undefined : inOrder(key, value)), 1)
}

/** Fields in the order of their names, but for children: the order of those is seen by modules. */
function inOrder(key: string, value: unknown): unknown {
  if (key === 'children' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function difference(found: string, expected: string): string {
  const [ours, theirs] = [found.split('\n'), expected.split('\n')]
  const line = theirs.findIndex((text, index) => text !== ours[index])
  return `found ${(ours[line] ?? 'nothing').trim().slice(0, 200)}, expected ${(theirs[line] ?? 'nothing').trim().slice(0, 200)}`
}

function describe({ path, ms: _ms, ...change }: JournalEntry): string {
  return `${path === '' ? 'root' : path}: ${Object.keys(change).join(', ')}`
}
