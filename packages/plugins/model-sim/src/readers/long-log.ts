import {
  type Claim,
  type Fact,
  type Goal,
  type Known,
  type Mention,
  NO_MEANINGS,
  type Problem,
  type Reader,
} from '../reader.js'
import { fieldsOf, readObject } from './answer-object.js'
import { RANGES, readRanges, toRanges, wordRanges } from './number-ranges.js'

/**
 * Reads the tasks of the world `long-log`.
 *
 * Goals: `part:<n>`. Claims: `parts:<ranges>` (progress) and `incident:<id>` is `<machine>|<minutes>`.
 */
export const longLogReader: Reader = {
  name: 'long-log',
  goalTokens: 2_900,
  task(text) {
    const match = /plant log lies in \d+ parts, (\S*?)(\d+)(\.\w+) to \S*?(\d+)\.\w/.exec(text)
    if (match === null) return undefined
    const [, stem = '', first = '', extension = '', last = ''] = match
    const numbers = readRanges(`${first} to ${last}`)
    const goals = numbers.map((n) => createGoal(n, `${stem}${String(n).padStart(first.length, '0')}${extension}`))
    return createProblem(goals, true)
  },
  subtask: (goals) => createProblem(goals, false),
  mentions: readMentions,
  facts: readFacts,
  word: wordGoals,
  say: sayClaims,
  distort(claim, share) {
    const [machine, minutes] = claim.value.split('|')
    if (!claim.key.startsWith('incident:') || minutes === undefined) return undefined
    const change = 1 + Math.floor(share * 12)
    return `${machine}|${Number(minutes) > change && share < 0.5 ? Number(minutes) - change : Number(minutes) + change}`
  },
}

function createGoal(part: number, path: string): Goal {
  return { id: `part:${part}`, path }
}

function partOf(goal: Goal): number {
  return Number(goal.id.slice('part:'.length))
}

function createProblem(goals: readonly Goal[], isWhole: boolean): Problem {
  let parts: { readonly of: Known; readonly read: ReadonlySet<number> } | undefined
  return {
    goals,
    isCounted: true,
    isRow: true,
    stateOf(goal, known) {
      if (parts?.of !== known) parts = { of: known, read: readParts(known) } // asked for every goal of one request
      return parts.read.has(partOf(goal)) ? 'done' : 'ready'
    },
    needs: () => [],
    intent: (goal) => ({ verb: 'read', path: goal.path ?? '' }),
    outcome: () => undefined,
    matters: () => true,
    meanings: () => NO_MEANINGS,
    needed: () => [],
    keywords: () => ['incident', 'stood still', 'log parts'],
    answer: (known) =>
      isWhole ? JSON.stringify({ incidents: [...known].sort(byKey).flatMap(readIncident) }) : undefined,
    claimsOf: readAnswer,
  }
}

function readAnswer(answer: string): readonly Claim[] | undefined {
  const incidents = readObject(answer)?.['incidents']
  if (!Array.isArray(incidents)) return undefined
  return incidents.map((incident: unknown) => {
    const { id, machine, minutes } = fieldsOf(incident)
    return { key: `incident:${String(id)}`, value: `${String(machine)}|${String(minutes)}` }
  })
}

function readParts(known: Known): ReadonlySet<number> {
  const ranges = [...known.keys()].filter((key) => key.startsWith('parts:'))
  return new Set(ranges.flatMap((key) => readRanges(key)))
}

function byKey([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1
}

function readIncident([key, value]: readonly [string, string]): readonly object[] {
  if (!key.startsWith('incident:')) return []
  const [machine, minutes] = value.split('|')
  return [{ id: key.slice('incident:'.length), machine, minutes: Number(minutes) }]
}

const PATHS = String.raw` \((\S*?)(\d+)(\.\w+)(?: to \S*?\d+\.\w+)?\)`
const IMPERATIVE = new RegExp(`read log parts? (${RANGES})${PATHS}`, 'gi')

function readMentions(text: string): readonly Mention[] {
  const mentions: Mention[] = []
  for (const match of text.matchAll(IMPERATIVE)) {
    const [, words = '', stem = '', digits = '', extension = ''] = match
    const path = (n: number): string => `${stem}${String(n).padStart(digits.length, '0')}${extension}`
    mentions.push({ goals: readRanges(words).map((n) => createGoal(n, path(n))), start: match.index })
  }
  return mentions
}

function wordGoals(goals: readonly Goal[]): string {
  if (goals.length === 0) return ''
  const sorted = [...goals].sort((one, other) => partOf(one) - partOf(other))
  const paths = [...new Set([sorted[0]?.path, sorted.at(-1)?.path])].join(' to ')
  return `read log part${goals.length > 1 ? 's' : ''} ${wordRanges(toRanges(sorted.map(partOf)))} (${paths})`
}

const FACT = new RegExp(
  [
    String.raw`incident (I-\d+): ([a-z]+ \d+) stood still for (\d+) minutes`,
    `log parts? (${RANGES}) (?:is|are) read`,
    String.raw`End of part (\d+) of \d+ of the plant log`,
  ].join('|'),
  'gi',
)

function readFacts(text: string): readonly Fact[] {
  const facts: Fact[] = []
  for (const match of text.matchAll(FACT)) {
    const [whole, id, machine, minutes, ranges, part] = match
    const end = match.index + whole.length
    const parts = ranges ?? part
    if (id !== undefined)
      facts.push({ key: `incident:${id.toUpperCase()}`, value: `${machine?.toLowerCase()}|${minutes}`, end })
    else if (parts !== undefined) facts.push({ key: `parts:${parts}`, value: 'read', isProgress: true, end })
  }
  return facts
}

/** One sentence for all parts that are read, whatever sentences they come from, then one an incident. */
function sayClaims(claims: readonly Claim[]): string {
  const parts = claims.filter((claim) => claim.key.startsWith('parts:')).flatMap((claim) => readRanges(claim.key))
  const ranges = toRanges(parts)
  const [first, last] = [ranges[0]?.[0], ranges.at(-1)?.[1]]
  const progress =
    parts.length === 0
      ? []
      : [`log part${first === last ? '' : 's'} ${wordRanges(ranges)} ${first === last ? 'is' : 'are'} read`]
  return [...progress, ...claims.flatMap(sayIncident)].join('; ')
}

function sayIncident({ key, value }: Claim): readonly string[] {
  if (!key.startsWith('incident:')) return []
  const [machine, minutes] = value.split('|')
  return [`incident ${key.slice('incident:'.length)}: ${machine} stood still for ${minutes} minutes`]
}
