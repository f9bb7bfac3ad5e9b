import {
  applyEntry,
  HarnessError,
  type Journal,
  type JournalEntry,
  type Json,
  messageOf,
  type RunFacts,
  type Step,
} from '@harnesswright/protocol'
import type { RunState } from './run-state.js'

type Change = Omit<JournalEntry, 'path' | 'ms'>

/**
 * Makes a change durable, and the states and facts of the run with it; then tells those who tap `checkpoint`. Gives a promise
 * only where there is something to wait for.
 */
export function checkpoint(run: RunState, change: Change, step?: Step): Promise<void> | undefined {
  // Only modules change states, and none is at work while calls are made.
  const states = change.started === undefined && change.outcome === undefined ? run.states.commit() : undefined
  const kept = keep(run, { ...change, ...(states && { states }), ...takeFacts(run) })
  const isTold =
    run.harness.hooks.checkpoint.taps.length > 0 && change.opening === undefined && change.end === undefined
  return isTold ? tell(run, kept, { states: states ?? {}, ...change }, step) : kept
}

async function tell(run: RunState, kept: Promise<void> | undefined, change: Change, step?: Step): Promise<void> {
  await kept
  const { states = {}, started, outcome } = change
  const delta = { states, ...(step && { step }), ...(started && { started }), ...(outcome && { outcome }) }
  await run.harness.hooks.checkpoint.promise({ delta, snapshot: () => run.snapshot() }, run.turn)
}

/** Makes a change durable as it is. */
export function keep(run: RunState, change: Change): Promise<void> | undefined {
  const entry: JournalEntry = { path: run.path, ms: run.usedMs(), ...change }
  applyEntry(run.tree.runs, entry)
  const { journal } = run.env
  return journal && write(journal, entry)
}

async function write(journal: Journal, entry: JournalEntry): Promise<void> {
  try {
    await journal.append(entry)
  } catch (cause) {
    throw new HarnessError('E_RUN_JOURNAL', { message: `The journal was not written: ${messageOf(cause)}`, cause })
  }
}

const VALUES: { readonly [Name in keyof Required<RunFacts>]: (run: RunState) => RunFacts[Name] } = {
  random: ({ randoms }) => Object.fromEntries(randoms),
  toolCounts: ({ toolCounts }) => Object.fromEntries(toolCounts),
  broken: ({ brokenArguments }) => Object.fromEntries(brokenArguments),
  wireTools: ({ wireTools }) => [...wireTools.keys()],
  tokensPerByte: ({ sizes }) => Object.fromEntries(sizes.tokensPerByte),
  warnings: ({ warnings }) => [...warnings],
  artifacts: ({ artifacts }) => [...artifacts],
}

/** The whole values of the facts that changed since they were last made durable, and the artifacts that are new. */
function takeFacts(run: RunState): Change {
  if (run.changed.size === 0) return {}
  const facts = Object.fromEntries([...run.changed].map((name) => [name, VALUES[name](run)]))
  run.changed.clear()
  const artifacts: readonly [string, Json][] = run.newArtifacts.splice(0)
  return { facts, ...(artifacts.length > 0 && { artifacts: Object.fromEntries(artifacts) }) }
}
