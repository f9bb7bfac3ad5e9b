import {
  type Action,
  type Capabilities,
  HarnessError,
  type JournalEntry,
  type Message,
  type ModelCall,
  type RunRecord,
  type Status,
  type StepRecord,
  stepOf,
  type Tool,
} from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'
import { inSlotOrder, SYSTEM_ORDER } from '../assemble/verbs.js'
import { readResult } from '../tools/read-result.js'
import { checkpoint } from './checkpoint.js'
import { type Outcome, performEffect } from './effects/effect.js'
import { limitOf } from './limit-check.js'
import type { RunState } from './run-state.js'
import { LiveTurn } from './turn.js'

/** One step: view, direct, select, act, effect, record, checkpoint. Gives what the effect said of the run's end. */
export async function takeStep(run: RunState): Promise<Outcome> {
  const turn = openTurn(run)
  const { pending } = run.tree.runs[run.path] as RunRecord
  let before = pending?.before
  let action = pending?.action
  if (pending !== undefined) turn.goOn(pending)
  if (action === undefined || before === undefined) {
    await buildTurn(run, turn)
    if (turn.directive.done === true) return { observations: [], limit: 'done' }
    action = await chooseAction(run, turn)
    before = turn.takeNotes()
  }
  run.gate.signal.throwIfAborted()
  const outcome = await performEffect(run, action, before)
  if (outcome.questions !== undefined) return outcome
  const limit = await closeStep(run, turn, { action, before, outcome })
  return limit === undefined ? outcome : { ...outcome, limit }
}

/** Begins the next turn, and then asks for the system sections, which are of its step. */
export function openTurn(run: RunState): LiveTurn {
  const { notes, isOfStep } = run.turn
  run.turn = new LiveTurn(run, run.steps.length + 1)
  run.turn.isOfStep = true
  if (!isOfStep) run.turn.notes.push(...notes)
  run.emit(() => ({ type: 'step-start' }))
  run.buildHead(inSlotOrder(run.harness.mounts, SYSTEM_ORDER).map((mount) => sectionOf(run, mount)))
  run.turn.view = { messages: run.headAndHistory() }
  return run.turn
}

function sectionOf(run: RunState, mount: Mount): string {
  const { system } = mount.module
  if (system === undefined) return ''
  return attributed(mount, 'system', run.steps.length + 1, () => {
    const text: unknown = system(run.ctx(mount))
    if (typeof text === 'string') return text
    throw new HarnessError('E_PROTOCOL_VALUE', { message: `${mount.use} gave a system section that is no text.` })
  })
}

/** v_t, d_t and C_t, one after another. */
async function buildTurn(run: RunState, turn: LiveTurn): Promise<void> {
  const { hooks } = run.harness
  turn.view = await hooks.memory.promise(turn.view, turn)
  turn.directive = await hooks.planning.promise(turn.directive, turn)
  turn.capabilities = withBrought(run, await hooks.capability.promise(turn.capabilities, turn))
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

/** The action; where its request was larger than the window, once more from a smaller view, if the memory can make one. */
async function chooseAction(run: RunState, turn: LiveTurn): Promise<Action> {
  if (turn.directive.consumesStep === true) return { kind: 'think' }
  const { action, memory } = run.harness.hooks
  const chosen = await action.promise(turn).catch(async (error: unknown) => {
    if (limitOf(error) !== 'context_overflow') throw error
    const size = run.sizes.estimate(turn.view.messages, run.env.model())
    turn.overflowed = true
    turn.view = await memory.promise({ messages: run.headAndHistory() }, turn)
    if (run.sizes.estimate(turn.view.messages, run.env.model()) >= size) throw error
    return await action.promise(turn)
  })
  if (chosen === undefined) throw new HarnessError('E_PROTOCOL_NO_ACTION', { slot: 'action', step: turn.step })
  return chosen
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
 * Gives the limit that stopped a module from absorbing it, if one did: the step is whole all the same.
 */
export async function closeStep(run: RunState, turn: LiveTurn, parts: StepParts): Promise<string | undefined> {
  const { hooks } = run.harness
  const { action, before, outcome, end } = parts
  const record: StepRecord = run.clean({
    directive: turn.directive,
    capabilities: turn.capabilities.tools.map((tool) => tool.name),
    action,
    observations: outcome.observations,
    notes: { before, during: turn.takeNotes(), after: [] },
    ...(outcome.feedback === undefined ? {} : { feedback: outcome.feedback }),
    modelCalls: callsOf(turn),
    at: turn.at,
    ms: run.env.clock.now() - turn.at,
    ...(end === undefined ? {} : { end }),
  })
  const step = stepOf(record, turn.step, run.fence)
  run.append(step)
  const limit = (await hooks.record.promise(step, turn).then(() => undefined, limitOrThrow)) ?? outcome.limit
  turn.placeNotes()
  const last = { modelCalls: callsOf(turn), ms: run.env.clock.now() - turn.at }
  run.finishLast([], last)
  const whole = { ...record, ...last, ...(limit && { limit }) }
  await checkpoint(run, { step: journalled(run, whole, turn.recorded) }, run.steps.at(-1))
  run.emit(() => ({
    type: 'step-end',
    action: describeAction(action),
    directive: turn.directive.text,
    tokens: run.meter.spent(0).tokens,
    usd: run.meter.spent(0).usd,
  }))
  return limit
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
  if (pending === undefined) return { ...step, notes: { before, ...placed } }
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
