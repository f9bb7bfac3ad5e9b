import type { Action, JournalEntry, Json, Observation } from '@harnesswright/protocol'

/** An entry without what stands in it twice: a value that is also the text of its observation, calls that are also in their reply. */
export function packEntry(entry: JournalEntry): object {
  const { outcome, effect, step } = entry
  return {
    ...entry,
    ...(outcome && { outcome: packObservation(outcome) }),
    ...(effect?.action && { effect: { ...effect, action: packAction(effect.action) } }),
    ...(step && { step: { ...step, ...(step.action && { action: packAction(step.action) }) } }),
  }
}

/** The entry that was packed. */
export function unpackEntry(packed: JournalEntry): JournalEntry {
  const { outcome, effect, step } = packed
  return {
    ...packed,
    ...(outcome && { outcome: unpackObservation(outcome) }),
    ...(effect?.action && { effect: { ...effect, action: unpackAction(effect.action) } }),
    ...(step?.action && { step: { ...step, action: unpackAction(step.action) } }),
  }
}

function packObservation(observation: Observation): object {
  const { data, ...rest } = observation
  return data !== undefined && JSON.stringify(data) === rest.content ? { ...rest, isData: true } : observation
}

function unpackObservation(packed: Observation & { readonly isData?: true }): Observation {
  const { isData, ...rest } = packed
  return isData ? { ...rest, data: JSON.parse(rest.content) as Json } : rest
}

function packAction(action: Action): object {
  if (action.kind !== 'call' || action.reply === undefined) return action
  const { calls, ...rest } = action
  return JSON.stringify(calls) === JSON.stringify(action.reply.toolCalls) ? rest : action
}

function unpackAction(packed: Action): Action {
  if (packed.kind !== 'call' || packed.calls !== undefined) return packed
  return { ...(packed as Action & { kind: 'call' }), calls: (packed as Action).reply?.toolCalls ?? [] }
}
