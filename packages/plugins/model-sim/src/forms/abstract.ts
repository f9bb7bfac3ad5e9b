import type { ModelRequest } from '@harnesswright/core'
import type { Mind } from '../mind.js'
import { newestKeys } from '../newest.js'
import { MECHANICS } from '../profiles.js'
import { knownClaims, writeClaims } from '../writing.js'

/** A line on the newest part of the view: its facts, with the losses of a summary, in no more tokens than are asked for. */
export function writeAbstract(
  mind: Mind,
  { maxTokens = MECHANICS.noteTokens }: Pick<ModelRequest, 'maxTokens'>,
): string {
  const { profile } = mind
  const thought = Math.round(profile.thinkTokens * (MECHANICS.think['abstract'] ?? 1))
  const told = writeClaims(knownClaims(mind, newestKeys(mind.sight)), mind, {
    keep: profile.keep,
    budgetTokens: Math.min(MECHANICS.noteTokens, maxTokens - thought),
    label: 'abstract',
  })
  return told === '' ? 'Nothing new for the task.' : `${told[0]?.toUpperCase()}${told.slice(1)}.`
}
