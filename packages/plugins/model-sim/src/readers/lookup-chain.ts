import type { Claim, Fact, Goal, Mention, Reader } from '../reader.js'
import { distortNumber } from './distort.js'
import { createChainProblem, toVisitGoal, visitOf } from './lookup-chain-problem.js'
import { RANGES, readRanges, toRanges, wordRanges } from './number-ranges.js'

const NAME = '[A-Z][a-z]+ [A-Z][a-z]+'
const PATH = String.raw`\(([^\s()]+)\)`

/** Names that might be meant where one is remembered wrongly. */
const OTHER_NAMES = ['Marlow', 'Keller', 'Dorn', 'Ashby', 'Winter', 'Rooke', 'Sorel']

/**
 * Reads the tasks of the world `lookup-chain`.
 *
 * Goals: `visit:<n>`. Claims: `visit:<n>` and `after:<name>` are `<name>|<path>`, the latter meaning the former where the
 * visit before is known; `badge:<name>` is a badge.
 */
export const lookupChainReader: Reader = {
  name: 'lookup-chain',
  goalTokens: 300,
  task(text) {
    const visits = /[Mm]ake (\d+) visits, one after another/.exec(text)?.[1]
    return visits === undefined ? undefined : createChainProblem(readRanges(`1 to ${visits}`).map(toVisitGoal), true)
  },
  subtask: (goals) => createChainProblem(goals, false),
  mentions: readMentions,
  facts: readFacts,
  word: wordGoals,
  say: (claims) => claims.map(sayClaim).join('; '),
  distort({ key, value }, share) {
    if (!key.startsWith('badge:')) return distortName(value, share)
    return `B-${distortNumber(value.slice(2), share)}`
  },
}

/** Another last name, in the path too. */
function distortName(value: string, share: number): string {
  const [name = '', path = ''] = value.split('|')
  const [first, last = ''] = name.split(' ')
  const others = OTHER_NAMES.filter((other) => other !== last)
  const other = others[Math.floor(share * others.length)] ?? ''
  return `${first} ${other}|${path.replace(last.toLowerCase(), other.toLowerCase())}`
}

const IMPERATIVE = new RegExp(`[Mm]ake visits? (${RANGES})`, 'g')

function readMentions(text: string): readonly Mention[] {
  return [...text.matchAll(IMPERATIVE)].map(({ index, 1: words = '' }) => ({
    goals: readRanges(words).map(toVisitGoal),
    start: index,
  }))
}

function wordGoals(goals: readonly Goal[]): string {
  if (goals.length === 0) return ''
  return `make visit${goals.length > 1 ? 's' : ''} ${wordRanges(toRanges(goals.map(visitOf)))}`
}

const FACT = new RegExp(
  [
    String.raw`isit (\d+) is (${NAME}) ${PATH}`,
    `fter (${NAME}) comes (${NAME}) ${PATH}`,
    String.raw`he badge of (${NAME}) is (B-\d+)`,
  ].join('|'),
  'g',
)

function readFacts(text: string): readonly Fact[] {
  return [...text.matchAll(FACT)].map((match) => {
    const [whole, visit, visited, place, before, next, path, owner, badge = ''] = match
    const end = match.index + whole.length
    if (visit !== undefined) return { key: `visit:${visit}`, value: `${visited}|${place}`, end }
    if (before !== undefined) return { key: `after:${before}`, value: `${next}|${path}`, end }
    return { key: `badge:${owner}`, value: badge, end }
  })
}

function sayClaim({ key, value }: Claim): string {
  const [kind = '', name] = key.split(':')
  if (kind === 'badge') return `the badge of ${name} is ${value}`
  const [person, path] = value.split('|')
  return kind === 'after' ? `after ${name} comes ${person} (${path})` : `visit ${name} is ${person} (${path})`
}
