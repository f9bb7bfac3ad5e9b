import {
  type Action,
  type Capabilities,
  HarnessError,
  type JournalEntry,
  type Message,
  type ModelCall,
  type PendingEffect,
  type RunRecord,
  type Status,
  type Step,
  type StepRecord,
  stepOf,
  type Tool,
} from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'
import { readResult } from '../tools/read-result.js'
import { checkpoint } from './checkpoint.js'
import { beginningOf, type Outcome, pendingOf, performEffect } from './effects/effect.js'
import { limitOf } from './limit-check.js'
import type { RunState } from './run-state.js'
import { LiveTurn } from './turn.js'

// Small functions with few waits: the engine charges an async function for its length at every wait, and compiles it early.

/** What a step does, and the notes made before it. */
type Chosen = Pick<PendingEffect, 'action' | 'before'>

/** One step: view, direct, select, act, effect, record, checkpoint. Gives what the effect said of the run's end. */
export function takeStep(run: RunState): Promise<Outcome> {
  const turn = openTurn(run)
  const known = goOn(run, turn)
  if (known !== undefined) return perform(run, turn, known)
  return choose(run, turn).then((chosen) =>
    chosen === undefined ? { observations: [], limit: 'done' } : perform(run, turn, chosen),
  )
}

async function perform(run: RunState, turn: LiveTurn, chosen: Chosen): Promise<Outcome> {
  run.gate.signal.throwIfAborted()
  const outcome = await performEffect(run, chosen.action, chosen.before)
  if (outcome.questions !== undefined) return outcome
  return await closeStep(run, turn, { action: chosen.action, before: chosen.before, outcome })
}

/** Begins the next turn, and then asks for the system sections, which are of its step. */
export function openTurn(run: RunState): LiveTurn {
  const { notes, isOfStep } = run.turn
  run.turn = new LiveTurn(run, run.steps.length + 1)
  run.turn.isOfStep = true
  if (!isOfStep) run.turn.notes.push(...notes)
  run.emit(() => ({ type: 'step-start' }))
  run.buildHead(run.speakers.map((mount) => sectionOf(run, mount)))
  run.turn.view = { messages: run.headAndHistory() }
  return run.turn
}

function sectionOf(run: RunState, mount: Mount): string {
  return attributed(mount, 'system', run.steps.length + 1, () => {
    const text: unknown = mount.module.system?.(run.ctx(mount))
    if (typeof text === 'string') return text
    throw new HarnessError('E_PROTOCOL_VALUE', { message: `${mount.use} gave a system section that is no text.` })
  })
}

/** What was chosen before the run was interrupted. */
function goOn(run: RunState, turn: LiveTurn): Chosen | undefined {
  const pending = pendingOf(run)
  if (pending !== undefined) turn.goOn(pending)
  return pending?.action === undefined || pending.before === undefined ? undefined : pending
}

/** v_t, d_t and C_t, one after another, then the action of this step; none where the plan says that the work is done. */
function choose(run: RunState, turn: LiveTurn): Promise<Chosen | undefined> {
  const { memory, planning, capability } = run.harness.hooks
  const built = memory.promise(turn.view, turn).then((view) => {
    turn.view = view
    return planning.taps.length === 0 && capability.taps.length === 0 ? undefined : direct(run, turn)
  })
  return built.then(() => {
    turn.capabilities = withBrought(run, turn.capabilities)
    return turn.directive.done === true ? undefined : chooseAction(run, turn)
  })
}

async function direct(run: RunState, turn: LiveTurn): Promise<void> {
  const { planning, capability } = run.harness.hooks
  turn.directive = await planning.promise(turn.directive, turn)
  turn.capabilities = await capability.promise(turn.capabilities, turn)
}

/** The tools of the environment, then those that modules bring, then the kernel's own. */
function withBrought(run: RunState, capabilities: Capabilities): Capabilities {
  const cut: readonly Tool[] =
    run.hasCutResults && ![...run.tools, ...run.brought].some((tool) => tool.name === readResult.name)
      ? [readResult]
      : []
  if (run.brought.length === 0 && cut.length === 0) return capabilities
  return { ...capabilities, tools: [...capabilities.tools, ...run.brought, ...cut] }
}

function chooseAction(run: RunState, turn: LiveTurn): Promise<Chosen> | Chosen {
  if (turn.directive.consumesStep === true) return { action: { kind: 'think' }, before: turn.takeNotes() }
  return run.harness.hooks.action
    .promise(turn)
    .catch((error) => chooseAgain(run, turn, error))
    .then((action) => {
      if (action !== undefined) return { action, before: turn.takeNotes() }
      throw new HarnessError('E_PROTOCOL_NO_ACTION', { slot: 'action', step: turn.step })
    })
}

/** Where the request was larger than the window, once more from a smaller view, if the memory can make one. */
async function chooseAgain(run: RunState, turn: LiveTurn, error: unknown): Promise<Action | undefined> {
  if (limitOf(error) !== 'context_overflow') throw error
  const { action, memory } = run.harness.hooks
  const size = run.sizes.estimate(turn.view.messages, run.env.model())
  turn.overflowed = true
  turn.view = await memory.promise({ messages: run.headAndHistory() }, turn)
  if (run.sizes.estimate(turn.view.messages, run.env.model()) >= size) throw error
  return await action.promise(turn)
}

/** What a step is made of. */
export interface StepParts {
  readonly action: Action
  /** Notes made before the effect. */
  readonly before: readonly Message[]
  readonly outcome: Outcome
  /** Set on a step that a limit forced. */
  readonly end?: { readonly status: Status; readonly reason: string }
}

/**
 * Writes the step into the history and the trajectory, lets every module absorb it, and makes it durable with the states.
 * Gives the outcome, with the limit that stopped a module from absorbing it, if one did: the step is whole all the same.
 */
export async function closeStep(run: RunState, turn: LiveTurn, parts: StepParts): Promise<Outcome> {
  const record = recordOf(run, turn, parts)
  const step = stepOf(record, turn.step, run.fence)
  run.append(step)
  const absorbed = absorb(run, turn, step)
  const limit = (absorbed && (await absorbed)) ?? parts.outcome.limit
  const kept = finishStep(run, turn, { ...record, ...(limit && { limit }) })
  if (kept !== undefined) await kept
  tellEnd(run, turn, parts.action)
  return limit === undefined ? parts.outcome : { ...parts.outcome, limit }
}

/** The record of the step, clean. What is durable of its effect is so already. */
function recordOf(run: RunState, turn: LiveTurn, { action, before, outcome, end }: StepParts): StepRecord {
  const begun = (end === undefined && pendingOf(run)) || beginningOf(run, action, before)
  return {
    directive: begun.directive,
    capabilities: begun.capabilities,
    action: begun.action,
    observations: outcome.observations.map((one) => run.clean(one)),
    notes: { before: begun.before, during: turn.takeNotes(), after: [] },
    ...(outcome.feedback === undefined ? {} : { feedback: run.clean(outcome.feedback) }),
    modelCalls: callsOf(turn),
    at: turn.at,
    ms: run.env.clock.now() - turn.at,
    ...(end === undefined ? {} : { end }),
  }
}

/** Lets every module absorb the step; gives the limit that stopped one. */
function absorb(run: RunState, turn: LiveTurn, step: Step): Promise<string | undefined> | undefined {
  const { record } = run.harness.hooks
  return record.taps.length === 0 ? undefined : record.promise(step, turn).then(() => undefined, limitOrThrow)
}

/** Brings the last step up to date with what was done in `record`, and makes it durable. */
function finishStep(run: RunState, turn: LiveTurn, record: StepRecord): Promise<void> | undefined {
  turn.placeNotes()
  const last = { modelCalls: callsOf(turn), ms: run.env.clock.now() - turn.at }
  run.finishLast([], last)
  const step = journalled(run, { ...record, ...last }, turn.recorded)
  return checkpoint(run, { step }, run.steps.at(-1))
}

function tellEnd(run: RunState, turn: LiveTurn, action: Action): void {
  run.emit(() => ({
    type: 'step-end',
    action: describeAction(action),
    directive: turn.directive.text,
    tokens: run.meter.spent(0).tokens,
    usd: run.meter.spent(0).usd,
  }))
}

/** What the journal has to know of a finished step, beside what it knows of its effect. */
function journalled(run: RunState, record: StepRecord, after: readonly Message[]): NonNullable<JournalEntry['step']> {
  const { pending, calls } = run.tree.runs[run.path] as RunRecord
  const { modelCalls, ...known } = record
  // A turn that came to nothing leaves its calls behind.
  const paid = calls.filter((call) => call !== null)
  const isKnown = paid.length === modelCalls.length && paid.every((call, place) => call === modelCalls[place])
  const step = isKnown ? known : record
  const { before, during } = record.notes
  const placed = { ...(during.length > 0 ? { during } : {}), ...(after.length > 0 ? { after } : {}) }
  if (pending === undefined || record.end !== undefined) return { ...step, notes: { before, ...placed } }
  const { action: _a, directive: _d, capabilities: _c, at: _t, ...rest } = step
  const observations = step.observations.map((one) => (one === pending.outcomes[one.callId] ? one.callId : one))
  return { ...rest, observations, notes: placed }
}

function limitOrThrow(error: unknown): string {
  const limit = limitOf(error)
  if (limit === undefined) throw error
  return limit
}

function callsOf(turn: LiveTurn): readonly ModelCall[] {
  return turn.modelCalls.filter((call) => call !== undefined)
}

/** An action in a few words, for people who watch. */
function describeAction(action: Action): string {
  if (action.kind === 'spawn') return `spawn ${action.runs.map(({ id }) => id).join(', ')}`
  return action.kind === 'call' ? `call ${action.calls.map((call) => call.name).join(', ')}` : action.kind
}
