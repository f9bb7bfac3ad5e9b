import type { Claim, Fact, Goal, Known, Mention, Problem, Reader } from '../reader.js'
import { fieldsOf, readObject } from './answer-object.js'
import { distortNumber } from './distort.js'
import { readNames, wordNames } from './names.js'

const NAME = '[A-Z][a-z]+'
const NAMES = `${NAME}(?:(?:, | and )${NAME})*`

/**
 * Reads the tasks of the world `wide-search`.
 *
 * Goals: `height:<tower>`. Claims: `height:<tower>` is metres; `source:<tower>` is `<sheet>|<path>`; `sheet:<n>` is metres,
 * and means a height where a source names the sheet.
 */
export const wideSearchReader: Reader = {
  name: 'wide-search',
  goalTokens: 500,
  task(text) {
    const names = new RegExp(`heights of \\d+ towers: (${NAMES})`).exec(text)?.[1]
    return names === undefined ? undefined : createProblem(readNames(names).map(toGoal), true)
  },
  subtask: (goals) => createProblem(goals, false),
  mentions: readMentions,
  facts: readFacts,
  word: (goals) => (goals.length === 0 ? '' : `find the height of ${wordNames(goals.map(towerOf))}`),
  say: (claims) => claims.map(sayClaim).join('; '),
  distort: ({ key, value }, share) => (key.startsWith('source:') ? undefined : distortNumber(value, share)),
}

function toGoal(tower: string): Goal {
  return { id: `height:${tower}` }
}

function towerOf({ id }: Pick<Goal, 'id'>): string {
  return id.slice('height:'.length)
}

function createProblem(goals: readonly Goal[], isWhole: boolean): Problem {
  const ids = new Set(goals.map((goal) => goal.id))
  const sourceOf = (goal: Goal, known: Known): string | undefined => known.get(`source:${towerOf(goal)}`)
  return {
    goals,
    isCounted: false,
    isRow: false,
    stateOf: (goal, known) => (known.has(goal.id) ? 'done' : 'ready'),
    needs: () => [],
    intent(goal, known) {
      const [, path] = sourceOf(goal, known)?.split('|') ?? []
      return path === undefined ? { verb: 'search', query: towerOf(goal) } : { verb: 'read', path }
    },
    outcome: () => undefined,
    matters({ key }, known) {
      if (key.startsWith('height:')) return ids.has(key)
      const height = key.replace(/^source:/, 'height:')
      return ids.has(height) && !known.has(height)
    },
    meanings: readSheets,
    needed: (asked, known) => asked.map((goal) => `source:${towerOf(goal)}`).filter((key) => known.has(key)),
    keywords: (asked) => asked.map(towerOf),
    answer: (known) => (isWhole ? answerHeights(goals, known) : undefined),
    claimsOf: readAnswer,
  }
}

/** What a survey sheet gives is the height of the tower of which the gazetteer says so. */
function readSheets(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const sources = claims.filter(({ key }) => key.startsWith('source:'))
  return new Map(
    sources.map(({ key, value }) => [`sheet:${value.split('|', 1)[0]}`, key.replace(/^source:/, 'height:')]),
  )
}

function answerHeights(goals: readonly Goal[], known: Known): string {
  const heights = goals.flatMap((goal) => {
    const metres = known.get(goal.id)
    return metres === undefined ? [] : [[towerOf(goal), Number(metres)] as const]
  })
  return JSON.stringify({ heights: Object.fromEntries(heights) })
}

function readAnswer(answer: string): readonly Claim[] | undefined {
  const heights = readObject(answer)?.['heights']
  if (typeof heights !== 'object') return undefined
  return Object.entries(fieldsOf(heights)).map(([tower, metres]) => ({ key: `height:${tower}`, value: String(metres) }))
}

const IMPERATIVE = new RegExp(`[Ff]ind the height of (${NAMES})`, 'g')

function readMentions(text: string): readonly Mention[] {
  return [...text.matchAll(IMPERATIVE)].map(({ index, 1: names = '' }) => ({
    goals: readNames(names).map(toGoal),
    start: index,
  }))
}

const FACT = new RegExp(
  [
    String.raw`he height of (${NAME}) is (\d+) m\b`,
    String.raw`he height of (${NAME}) is on survey sheet (\d+) \(([^\s()]+)\)`,
    String.raw`urvey sheet (\d+) gives (\d+) m\b`,
  ].join('|'),
  'g',
)

function readFacts(text: string): readonly Fact[] {
  return [...text.matchAll(FACT)].map((match) => {
    const [whole, tower, metres = '', listed, sheet, path, surveyed, given = ''] = match
    const end = match.index + whole.length
    if (tower !== undefined) return { key: `height:${tower}`, value: metres, end }
    if (listed !== undefined) return { key: `source:${listed}`, value: `${sheet}|${path}`, end }
    return { key: `sheet:${surveyed}`, value: given, end }
  })
}

function sayClaim({ key, value }: Claim): string {
  const [kind = '', name] = key.split(':')
  const [first, path] = value.split('|')
  if (kind === 'source') return `the height of ${name} is on survey sheet ${first} (${path})`
  return kind === 'sheet' ? `survey sheet ${name} gives ${value} m` : `the height of ${name} is ${value} m`
}
