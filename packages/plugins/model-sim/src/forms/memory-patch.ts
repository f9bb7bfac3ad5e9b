import { type Entry, readEntries } from '../entries.js'
import type { Mind } from '../mind.js'
import { keysIn, newestKeys } from '../newest.js'
import { FORMS } from '../profiles.js'
import type { Slots } from '../slots.js'
import { knownClaims, selectClaims, writeClaims, writeOpen } from '../writing.js'

/** One node on the newest part of the view, and the edge that leads to it from the newest node in view. */
export function memorise(mind: Mind): Pick<Slots, 'items' | 'links'> & { readonly text: string } {
  const { sight, profile } = mind
  const told = selectClaims(knownClaims(mind, newestKeys(sight)), mind, {
    keep: profile.keep,
    budgetTokens: profile.summaryTokens,
    label: 'memorise',
  })
  const text = told.length === 0 ? writeOpen(mind) : `${sight.reader.say(told)}.`
  const before = readEntries(sight.messages).at(-1)
  return {
    text,
    items: [
      { id: '1', text, goals: [], dependsOn: [], status: 'open', kind: told.length === 0 ? 'subtask' : 'evidence' },
    ],
    links: before === undefined ? [] : [{ from: before.first, to: '1' }],
  }
}

/**
 * Which entries can go: those that say nothing of use are flushed, the others folded into one note on what they say. The
 * newest are kept.
 */
export function chooseEntries(mind: Mind): Pick<Slots, 'drop'> & { readonly text: string } {
  const old = readEntries(mind.sight.messages).slice(0, -FORMS.keptEntries)
  const keysOf = new Map(old.map((entry) => [entry, usefulKeys(entry, mind)]))
  const flush = old.filter((entry) => keysOf.get(entry)?.length === 0).map(({ first }) => first)
  const useful = old.filter((entry) => keysOf.get(entry)?.length !== 0)
  const keys = new Set(useful.flatMap((entry) => keysOf.get(entry) ?? []))
  const notes = writeClaims(knownClaims(mind, keys), mind, {
    keep: mind.profile.keep,
    budgetTokens: mind.profile.summaryTokens,
    label: 'recall',
  })
  const folds = useful.length === 0 ? [] : [{ ids: useful.map(({ first }) => first), notes }]
  return { text: notes === '' ? writeOpen(mind) : `${notes}.`, drop: { flush, folds } }
}

/** Keys of what an entry says that is known and of use. */
function usefulKeys(entry: Entry, mind: Mind): readonly string[] {
  const { sight, known } = mind
  return keysIn(entry.text, sight).filter((key) => {
    const value = known.get(key)
    return value !== undefined && sight.problem.matters({ key, value }, known)
  })
}
