import type { ConformanceCase } from '../conformance/case.js'
import { addTool } from './add-tool.js'
import type { FaultCase, FaultMode, FaultScene, FaultSetup, FaultSubject, FaultTrait } from './case.js'
import { realTime } from './clocks.js'
import { faultCases } from './fault-cases.js'
import { Play } from './play.js'
import { FaultMismatch, type FaultTrace } from './trace.js'

/** What is put to the test, and how. */
export interface FaultOptions {
  readonly subject: FaultSubject
  /** What the subject takes and tells. Default: nothing beyond the least. */
  readonly traits?: readonly FaultTrait[]
  /** Longest time from an abort to the end of the run, in ms. Default 1,500. */
  readonly settleMs?: number
  /** Name of the model that is asked for. Default `fault-model`. */
  readonly model?: string
}

/** What did not hold of a row. */
export interface FaultFinding {
  /** Absent: the row has one scene. */
  readonly scene?: string
  readonly expected: string
  readonly found: string
}

/** What came of one row in one mode. */
export interface FaultReport {
  readonly id: string
  readonly mode: FaultMode
  readonly sentence: string
  readonly expects: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** Of a row that failed, at least one. */
  readonly findings: readonly FaultFinding[]
  /** What could not be asserted, and why. */
  readonly unchecked: readonly string[]
  /** Requests that reached the endpoint, in all scenes. */
  readonly requests: number
  /** Real time in ms. */
  readonly ms: number
}

const SETTLE_MS = 1_500
/** Real time in which what comes late is seen, in ms. */
const LATE_MS = 30

/**
 * Plays one row with a harness, and says what held. A subject that throws has ended its run in that way; it does not make
 * this reject.
 *
 * @example
 * ```ts
 * const [row] = faultCases
 * const { state, findings } = await runFaultCase(row, { mode: 'stream', subject: myHarness })
 * ```
 */
export async function runFaultCase(
  row: FaultCase,
  { mode, ...options }: FaultOptions & { readonly mode: FaultMode },
): Promise<FaultReport> {
  const { id, sentence, expects } = row
  const head = { id, mode, sentence, expects }
  if (!row.modes.includes(mode)) {
    const unchecked = [`the row is one of the mode ${row.modes.join()} alone`]
    return { ...head, ...NOTHING, state: 'skipped', unchecked }
  }
  const startedAt = performance.now()
  const played = await Promise.all(row.scenes.map((scene) => judgeScene(scene, mode, options)))
  const findings = played.flatMap((one) => one.findings)
  return {
    ...head,
    state: findings.length > 0 ? 'failed' : played.every((one) => one.isLeftOut) ? 'skipped' : 'passed',
    findings,
    unchecked: played.flatMap((one) => one.unchecked),
    requests: played.reduce((sum, one) => sum + one.requests, 0),
    ms: Math.round(performance.now() - startedAt),
  }
}

/**
 * Every row in each of its modes, for any test runner: `for (const { name, run } of faultConformance({ subject })) test(name, run)`.
 */
export function faultConformance(options: FaultOptions): readonly ConformanceCase[] {
  return faultCases.flatMap((row) =>
    row.modes.map((mode) => ({
      name: `${row.id} (${mode}) ${row.expects}`,
      run: async () => {
        const { findings } = await runFaultCase(row, { ...options, mode })
        if (findings.length > 0) throw new Error(findings.map(describeFinding).join('\n'))
      },
    })),
  )
}

/** A finding in a line. */
export function describeFinding({ scene, expected, found }: FaultFinding): string {
  return `${scene === undefined ? '' : `${scene}: `}expected: ${expected}; found: ${found}`
}

interface Judged extends Pick<FaultReport, 'findings' | 'unchecked' | 'requests'> {
  /** The scene was not played. */
  readonly isLeftOut: boolean
}

const NOTHING = { findings: [], unchecked: [], requests: 0, ms: 0 } as const

async function judgeScene(scene: FaultScene, mode: FaultMode, options: FaultOptions): Promise<Judged> {
  const named = scene.name === undefined ? {} : { scene: scene.name }
  const mark = (text: string): string => (scene.name === undefined ? text : `${scene.name}: ${text}`)
  const missing = scene.needs?.filter((trait) => options.traits?.includes(trait) !== true) ?? []
  if (missing.length > 0)
    return {
      ...NOTHING,
      isLeftOut: true,
      unchecked: [mark(`the subject does not have the trait "${missing.join('", "')}"`)],
    }
  const trace = await playScene(scene, mode, options)
  let finding: FaultFinding | undefined
  try {
    scene.check(trace)
  } catch (thrown) {
    if (!(thrown instanceof FaultMismatch)) throw thrown
    finding = { ...named, expected: thrown.expected, found: thrown.found }
  }
  return {
    findings: finding === undefined ? [] : [finding],
    unchecked: trace.unchecked.map(mark),
    requests: trace.requests.length,
    isLeftOut: false,
  }
}

async function playScene(scene: FaultScene, mode: FaultMode, options: FaultOptions): Promise<FaultTrace> {
  const { subject, traits = [], settleMs = SETTLE_MS, model = 'fault-model' } = options
  const hasClock = traits.includes('clock')
  const play = new Play(scene)
  const { tool, runs } = addTool(scene, play.released, () => play.startTool())
  const warnings: string[] = []
  try {
    const setup: FaultSetup = {
      baseUrl: await play.open(hasClock),
      apiKey: 'fault-key',
      model,
      stream: mode === 'stream',
      instruction: 'Add up what you are asked to, with the tool.',
      tools: [tool],
      limits: scene.limits ?? {},
      ...(hasClock ? { clock: play.time } : {}),
      signal: play.signal,
      onWarning: (message) => void warnings.push(message),
    }
    const end = await play.run(() => subject(setup))
    const { ms, waitedMs, settledMs, notes } = play
    const openRequests = await play.waitForLines()
    await realTime(LATE_MS)
    return {
      mode,
      traits: new Set(traits),
      requests: [...play.requests],
      toolRuns: runs,
      ...end,
      ms,
      waitedMs,
      ...(settledMs === undefined ? {} : { settledMs }),
      settleMs,
      openRequests,
      warnings,
      notes,
      unchecked: [],
    }
  } finally {
    await play.close()
  }
}
