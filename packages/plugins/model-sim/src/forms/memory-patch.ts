import { type Entry, readEntries } from '../entries.js'
import type { Mind } from '../mind.js'
import { keysIn, newestKeys, newestMessages } from '../newest.js'
import { FORMS } from '../profiles.js'
import type { PlanItem, Slots } from '../slots.js'
import { knownClaims, selectClaims, writeClaims, writeOpen } from '../writing.js'

/**
 * One node for each of the newest steps that brought something, else one on what is open, and edges that lead from the
 * newest node in view to the first of them, and on from each to the next.
 */
export function memorise(mind: Mind): Pick<Slots, 'items' | 'links'> & { readonly text: string } {
  const told = newestParts(mind)
    .map(({ keys, step }) => ({ text: tellClaims(keys, mind), step }))
    .filter(({ text }) => text !== '')
  const parts = told.length === 0 ? [{ text: writeOpen(mind), step: newestStep(mind) }] : told
  const items = parts.map(
    ({ text, step }, index): PlanItem => ({
      id: String(index + 1),
      text,
      goals: [],
      dependsOn: [],
      status: 'open',
      kind: told.length === 0 ? 'subtask' : 'evidence',
      ...(step === undefined ? {} : { step }),
    }),
  )
  const ends = [...readEntries(mind.sight.messages).filter(isNode).slice(-1), ...items].map((end) =>
    'first' in end ? end.first : end.id,
  )
  const links = ends.slice(1).map((to, index) => ({ from: ends[index] ?? '', to: String(to) }))
  return { text: parts.map(({ text }) => text).join('\n'), items, links }
}

function isNode({ kind }: Entry): boolean {
  return !kind.endsWith('Step')
}

/** What a stretch of the view brought, and the step that it is, where it has a heading. */
interface Part {
  readonly keys: ReadonlySet<string>
  readonly step: number | undefined
}

/** The newest part of the view: step by step where steps have headings. A fact is news once. */
function newestParts(mind: Mind): readonly Part[] {
  const { sight } = mind
  const steps = newestSteps(mind)
  const parts =
    steps.length > 0
      ? steps.map(({ first, text }) => ({ step: first, keys: keysIn(text, sight) }))
      : [{ step: undefined, keys: [...newestKeys(sight)] }]
  const seen = new Set<string>()
  return parts.map(({ step, keys }) => {
    const fresh = new Set(keys.filter((key) => !seen.has(key)))
    for (const key of fresh) seen.add(key)
    return { step, keys: fresh }
  })
}

function newestSteps({ sight }: Mind): readonly Entry[] {
  return readEntries(newestMessages(sight)).filter((entry) => !isNode(entry))
}

function newestStep(mind: Mind): number | undefined {
  return newestSteps(mind).at(-1)?.last
}

function tellClaims(keys: ReadonlySet<string>, mind: Mind): string {
  const { keep, summaryTokens } = mind.profile
  const claims = selectClaims(knownClaims(mind, keys), mind, { keep, budgetTokens: summaryTokens, label: 'memorise' })
  return claims.length === 0 ? '' : `${mind.sight.reader.say(claims)}.`
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
