import type { Step } from '@harnesswright/protocol'
import type { RunState } from './run-state.js'

/** Makes the states of all modules durable, and a finished step with them; says what changed. */
export async function checkpoint(run: RunState, step?: Step): Promise<void> {
  const states = run.states.commit()
  const isNew = step !== undefined || Object.keys(states).length > 0
  if (!isNew || run.harness.hooks.checkpoint.taps.length === 0) return
  await run.harness.hooks.checkpoint.promise({ delta: { states, ...(step === undefined ? {} : { step }) } }, run.turn)
}
