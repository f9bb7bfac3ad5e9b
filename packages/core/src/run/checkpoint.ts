import {
  applyEntry,
  HarnessError,
  type JournalEntry,
  type Json,
  messageOf,
  type RunFacts,
  type Step,
} from '@harnesswright/protocol'
import type { RunState } from './run-state.js'

type Change = Omit<JournalEntry, 'path' | 'ms'>

/** Makes a change durable, and the states and facts of the run with it; then tells those who tap `checkpoint`. */
export async function checkpoint(run: RunState, change: Change, step?: Step): Promise<void> {
  // Only modules change states, and none is at work while calls are made.
  const states = change.started === undefined && change.outcome === undefined ? run.states.commit() : {}
  const whole: Change = { ...change, ...(Object.keys(states).length > 0 ? { states } : {}), ...takeFacts(run) }
  await keep(run, whole)
  const { taps } = run.harness.hooks.checkpoint
  if (taps.length === 0 || change.opening !== undefined || change.end !== undefined) return
  const { started, outcome } = change
  const delta = { states, ...(step && { step }), ...(started && { started }), ...(outcome && { outcome }) }
  await run.harness.hooks.checkpoint.promise({ delta, snapshot: () => run.snapshot() }, run.turn)
}

/** Makes a change durable as it is. */
export async function keep(run: RunState, change: Change): Promise<void> {
  const entry: JournalEntry = { path: run.path, ms: run.usedMs(), ...change }
  applyEntry(run.tree.runs, entry)
  try {
    await run.env.journal?.append(entry)
  } catch (cause) {
    throw new HarnessError('E_RUN_JOURNAL', { message: `The journal was not written: ${messageOf(cause)}`, cause })
  }
}

/** How far each fact has come, as a number, and its value. A fact is written when its number has changed. */
const FACTS: {
  readonly [Name in keyof Required<RunFacts>]: (run: RunState) => readonly [number, () => RunFacts[Name]]
} = {
  random: ({ randoms }) => [sum(randoms.values()), () => Object.fromEntries(randoms)],
  toolCounts: ({ toolCounts }) => [sum(toolCounts.values()), () => Object.fromEntries(toolCounts)],
  broken: ({ brokenArguments }) => [brokenArguments.size, () => Object.fromEntries(brokenArguments)],
  wireTools: ({ wireTools }) => [wireTools.size, () => [...wireTools.keys()]],
  tokensPerByte: ({ sizes }) => [sum(sizes.tokensPerByte.values()), () => Object.fromEntries(sizes.tokensPerByte)],
  warnings: ({ warnings }) => [warnings.length, () => [...warnings]],
  artifacts: ({ artifacts }) => [artifacts.length, () => [...artifacts]],
}

function takeFacts(run: RunState): Change {
  const facts: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(FACTS)) {
    const [mark, value] = read(run)
    if (mark === (run.factMarks[name] ?? 0)) continue
    run.factMarks[name] = mark
    facts[name] = value()
  }
  const artifacts: Record<string, Json> = Object.fromEntries(run.newArtifacts.splice(0))
  return {
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(Object.keys(artifacts).length > 0 ? { artifacts } : {}),
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
