import type { Tool } from '@harnesswright/core'
import { isFold } from './affordance.js'
import { rawSteps, readEntries } from './entries.js'
import { fillSchema } from './fill-schema.js'
import { subjectOfFold } from './filling.js'
import { textOf, tokensOf } from './measure.js'
import type { Mind } from './mind.js'
import { keysIn } from './newest.js'
import type { WantedCall } from './options.js'
import { FORMS, MECHANICS } from './profiles.js'
import type { FoldRange, Slots } from './slots.js'
import { knownClaims, writeClaims, writeOpen } from './writing.js'

/** The fold that a tool offers, taken up: the call that makes it; undefined where none is offered or it is let pass. */
export function takeUpFold(mind: Mind, tools: readonly Tool[]): WantedCall | undefined {
  const tool = tools.find(isFold)
  const fold = tool === undefined || isRefused(tool, mind) ? undefined : chooseFold(mind)
  if (tool === undefined || fold === undefined) return undefined
  const slots: Slots = {
    text: fold.text,
    answer: '',
    thought: '',
    items: [],
    isDone: false,
    calls: [],
    queries: [],
    fold,
  }
  const { value } = fillSchema(tool.parameters, slots, { subject: subjectOfFold(fold) })
  return { name: tool.name, arguments: JSON.stringify(value) }
}

/** A fold that was refused again and again, with nothing else of it in between, is given up. */
function isRefused({ name }: Tool, { sight }: Mind): boolean {
  const last = sight.calls.filter((call) => call.name === name).slice(-MECHANICS.giveUp.failed)
  return last.length === MECHANICS.giveUp.failed && last.every(({ failed }) => failed)
}

/** What is folded: all raw steps in view, once they take up much of it. */
export function chooseFold(mind: Mind): FoldRange | undefined {
  const { profile, sight, dice } = mind
  const raw = rawSteps(readEntries(sight.messages))
  const tokens = raw.length === 0 ? workTokens(mind) : raw.reduce((sum, entry) => sum + entry.tokens, 0)
  const least = Math.min(FORMS.fold.rawTokens, FORMS.fold.share * profile.windowTokens)
  if (tokens < least || dice.roll('fold') >= profile.fold) return undefined
  const keys = raw.length === 0 ? undefined : new Set(raw.flatMap(({ text }) => keysIn(text, sight)))
  return { first: raw[0]?.first ?? 1, last: raw.at(-1)?.first ?? 1, text: writeFold(mind, keys) }
}

/** What the folded steps say, with losses, and all progress. */
function writeFold(mind: Mind, keys: ReadonlySet<string> | undefined): string {
  const { keep, summaryTokens } = mind.profile
  const claims = knownClaims(mind).filter(({ key, isProgress }) => isProgress || keys === undefined || keys.has(key))
  const told = writeClaims(claims, mind, { keep, budgetTokens: summaryTokens, label: 'fold' })
  return told === '' ? writeOpen(mind) : `So far: ${told}.`
}

/** Tokens of calls and observations, where no step has a heading. */
function workTokens({ sight }: Mind): number {
  const work = sight.messages.filter(({ role }) => role === 'assistant' || role === 'tool')
  return work.reduce((sum, message) => sum + tokensOf(textOf(message).length), 0)
}
