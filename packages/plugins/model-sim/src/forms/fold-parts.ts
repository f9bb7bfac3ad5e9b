import type { Mind } from '../mind.js'
import { FORMS } from '../profiles.js'
import type { SummaryParts } from '../slots.js'
import { summarised, writeOpen } from '../writing.js'

/** A summary taken apart, for objects that ask for its parts by name. */
export function takeApart(mind: Mind): SummaryParts {
  const { sight, held } = mind
  const { reader, problem, calls } = sight
  const claims = summarised(mind)
  const progress = claims.filter((claim) => claim.isProgress)
  const names = [...new Set(calls.map(({ name }) => name))]
  return {
    task: `${reader.word(problem.goals)}.`,
    told: claims.length === 0 ? 'Nothing is known yet.' : `${reader.say(claims)}.`,
    facts: [
      ...(progress.length === 0 ? [] : [reader.say(progress)]),
      ...claims.filter((claim) => !claim.isProgress).map((claim) => reader.say([claim])),
    ],
    open: writeOpen(mind),
    next: held.slice(0, FORMS.looksAtOnce).map((goal) => reader.word([goal])),
    troubles: calls
      .filter(({ failed }) => failed)
      .slice(-FORMS.looksAtOnce)
      .map((call) => `${call.name} failed with ${call.arguments}`),
    tools: names.map((name) => ({ name, times: calls.filter((call) => call.name === name).length })),
  }
}
