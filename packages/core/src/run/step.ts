import type { Action, Capabilities, Message, ModelCall, Observation, Status, Step, Tool } from '@harnesswright/protocol'
import { attributed, type Mount } from '../assemble/mount.js'
import { inSlotOrder, SYSTEM_ORDER } from '../assemble/verbs.js'
import { HarnessError } from '../errors/error.js'
import { asText } from '../json/text.js'
import { readResult } from '../tools/read-result.js'
import { checkpoint } from './checkpoint.js'
import { type Outcome, performEffect } from './effects/effect.js'
import { limitOf } from './limit-check.js'
import { type RunState, withIds } from './run-state.js'
import { LiveTurn } from './turn.js'

/** One step: view, direct, select, act, effect, record, checkpoint. Gives what the effect said of the run's end. */
export async function takeStep(run: RunState): Promise<Outcome> {
  const turn = openTurn(run)
  await buildTurn(run, turn)
  if (turn.directive.done === true) return { observations: [], limit: 'done' }
  const action = await chooseAction(run, turn)
  run.gate.signal.throwIfAborted()
  const before = turn.takeNotes()
  const outcome = await performEffect(run, action)
  const limit = await closeStep(run, turn, { action, before, outcome })
  return limit === undefined ? outcome : { ...outcome, limit }
}

/** Begins the next turn, and then asks for the system sections, which are of its step. */
export function openTurn(run: RunState): LiveTurn {
  run.turn = new LiveTurn(run, run.steps.length + 1)
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
 * Writes the step into the history and the trajectory, lets every module absorb it, and makes the states durable. Gives
 * the limit that stopped a module from absorbing it, if one did: the step is whole all the same.
 */
export async function closeStep(run: RunState, turn: LiveTurn, parts: StepParts): Promise<string | undefined> {
  const { hooks } = run.harness
  const { action, before, outcome } = parts
  const messages = [...before, ...messagesOf(action, outcome), ...turn.takeNotes()]
  const step: Step = {
    index: turn.step,
    directive: turn.directive,
    capabilities: turn.capabilities.tools.map((tool) => tool.name),
    action,
    observations: outcome.observations,
    messages: withIds(messages, (index) => `${turn.step}.${index}`).map((message) => ({ ...message, step: turn.step })),
    modelCalls: callsOf(turn),
    at: turn.at,
    ms: run.env.clock.now() - turn.at,
    ...(parts.end === undefined ? {} : { end: parts.end }),
  }
  run.append(step)
  const limit = await hooks.record.promise(step, turn).then(() => undefined, limitOrThrow)
  run.finishLast(turn.takeNotes(), { modelCalls: callsOf(turn), ms: run.env.clock.now() - turn.at })
  await checkpoint(run, run.steps.at(-1))
  run.emit(() => ({
    type: 'step-end',
    action: describeAction(action),
    directive: turn.directive.text,
    tokens: run.meter.spent(0).tokens,
    usd: run.meter.spent(0).usd,
  }))
  return limit
}

function limitOrThrow(error: unknown): string {
  const limit = limitOf(error)
  if (limit === undefined) throw error
  return limit
}

function callsOf(turn: LiveTurn): readonly ModelCall[] {
  return turn.modelCalls.filter((call) => call !== undefined)
}

/** Assistant message, one tool message per call in call order, other observations, feedback. */
function messagesOf(action: Action, outcome: Outcome): Message[] {
  const calls = action.kind === 'call' ? action.calls : []
  const answered = new Map(outcome.observations.map((observation) => [observation.callId, observation]))
  const messages: Message[] = [...assistantMessage(action)]
  for (const call of calls) {
    messages.push({
      role: 'tool',
      callId: call.id,
      content: answered.get(call.id)?.content ?? 'error: the call gave no result',
    })
    answered.delete(call.id)
  }
  for (const observation of answered.values()) messages.push(resultNote(observation))
  if (outcome.feedback !== undefined) messages.push({ role: 'user', content: outcome.feedback, note: 'feedback' })
  return messages
}

function resultNote(observation: Observation): Message {
  return { role: 'user', content: observation.content, note: 'result' }
}

/** From the reply, else from the calls; a call that the action left out is left out here too. */
function assistantMessage(action: Action): readonly Message[] {
  const { reply } = action
  const calls = action.kind === 'call' ? action.calls : []
  const said = reply?.content ?? ''
  const content = said.trim() === '' && action.kind === 'answer' ? asText(action.answer) : said
  if (content.trim() === '' && calls.length === 0) return []
  const whole = reply?.toolCalls.length === calls.length
  return [
    {
      role: 'assistant',
      content,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(reply?.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
      ...(reply?.wire === undefined || !whole ? {} : { wire: reply.wire }),
    },
  ]
}

/** An action in a few words, for people who watch. */
function describeAction(action: Action): string {
  return action.kind === 'call' ? `call ${action.calls.map((call) => call.name).join(', ')}` : action.kind
}
