import type { Claim, Fact, Goal, Mention, Reader } from '../reader.js'
import { distortNumber } from './distort.js'
import { readNames, wordNames } from './names.js'
import { readRawFiles, toListFact, toPriceFact } from './quotes-files.js'
import { createQuoteProblem } from './quotes-problem.js'

/**
 * Reads the tasks of the world `quotes`.
 *
 * Goals: `order`, `list:<supplier>`, `write`. Claims: `approved` is `<name>|<name>`; `lines` is a count; `line:<n>` is
 * `<pieces>|<item>`; `price:<supplier>:<item>` is cents for one piece; `list:<supplier>` and `written` (progress).
 */
export const quotesReader: Reader = {
  name: 'quotes',
  goalTokens: 900,
  task(text) {
    const match =
      /quote for the order in (\S+) and write it to (\S*\w)[\s\S]*?price lists are: ([^)]*\)(?:, [^)]*\))*)/.exec(text)
    if (match === null) return undefined
    const [, order = '', target = '', lists = ''] = match
    const goals = [
      { id: 'order', path: order },
      ...[...lists.matchAll(/(\S+) \(([A-Z][a-z]+)\)/g)].map(([, path = '', name]) => ({ id: `list:${name}`, path })),
      { id: 'write', path: target, isFinal: true },
    ]
    return createQuoteProblem(goals, true)
  },
  subtask: (goals) => createQuoteProblem(goals, false),
  mentions: readMentions,
  facts: readFacts,
  word: wordGoals,
  say: (claims) => claims.map(sayClaim).join('; '),
  distort(claim, share) {
    if (claim.key.startsWith('price:')) return distortNumber(claim.value, share)
    const [pieces = '', item] = claim.value.split('|')
    return claim.key.startsWith('line:') ? `${distortNumber(pieces, share)}|${item}` : undefined
  },
}

const PATH = String.raw`[\w/-]+(?:\.[a-z]+)+`
const LISTED = String.raw`[A-Z][a-z]+ \([^\s()]+\)`
const IMPERATIVE = new RegExp(
  [
    String.raw`[Rr]ead the order \(([^\s()]+)\)`,
    `[Rr]ead the price lists? of (${LISTED}(?:(?:, | and )${LISTED})*)`,
    `[Ww]rite the quote to (${PATH})`,
  ].join('|'),
  'g',
)

function readMentions(text: string): readonly Mention[] {
  return [...text.matchAll(IMPERATIVE)].map((match) => ({ goals: toGoals(match), start: match.index }))
}

function toGoals([, order, lists = '', target]: RegExpMatchArray): readonly Goal[] {
  if (order !== undefined) return [{ id: 'order', path: order }]
  if (target !== undefined) return [{ id: 'write', path: target, isFinal: true }]
  return [...lists.matchAll(/([A-Z][a-z]+) \(([^\s()]+)\)/g)].map(([, name, path = '']) => ({
    id: `list:${name}`,
    path,
  }))
}

function wordGoals(goals: readonly Goal[]): string {
  const lists = goals
    .filter((goal) => goal.id.startsWith('list:'))
    .map(({ id, path }) => `${id.slice('list:'.length)} (${path})`)
  return [
    ...goals.filter((goal) => goal.id === 'order').map((goal) => `read the order (${goal.path})`),
    ...(lists.length === 0 ? [] : [`read the price list${lists.length > 1 ? 's' : ''} of ${wordNames(lists)}`]),
    ...goals.filter((goal) => goal.id === 'write').map((goal) => `write the quote to ${goal.path}`),
  ].join('; ')
}

const NAME = '[A-Z][a-z]+'
const ITEM = '[a-z]+ [a-z]+'
const SENTENCE = new RegExp(
  [
    String.raw`(${NAME}) sells (${ITEM}) at (\d+\.\d\d) EUR`,
    String.raw`ine (\d+) of the order is (\d+) pieces of (${ITEM})`,
    String.raw`he order has (\d+) lines`,
    `he order approves (${NAME}(?:(?:, | and )${NAME})*) as suppliers`,
    `he price list of (${NAME}) is read`,
    `he file (${PATH}) holds the quote`,
  ].join('|'),
  'g',
)

function readFacts(text: string): readonly Fact[] {
  return [...readRawFiles(text), ...[...text.matchAll(SENTENCE)].map(toFact)].sort((one, other) => one.end - other.end)
}

function toFact(match: RegExpMatchArray): Fact {
  const [whole, supplier, item = '', eur, line, pieces, ordered, lines, names, list] = match
  const end = (match.index ?? 0) + whole.length
  if (supplier !== undefined) return toPriceFact(supplier, item, Number(eur) * 100, end)
  if (line !== undefined) return { key: `line:${line}`, value: `${pieces}|${ordered}`, end }
  if (lines !== undefined) return { key: 'lines', value: lines, end }
  if (names !== undefined) return { key: 'approved', value: readNames(names).join('|'), end }
  if (list !== undefined) return toListFact(list, end)
  return { key: 'written', value: match[10] ?? '', isProgress: true, end }
}

function sayClaim({ key, value }: Claim): string {
  const [kind, name, item] = key.split(':')
  const [first = '', second = ''] = value.split('|')
  if (kind === 'price') return `${name} sells ${item} at ${(Number(value) / 100).toFixed(2)} EUR`
  if (kind === 'line') return `line ${name} of the order is ${first} pieces of ${second}`
  if (kind === 'lines') return `the order has ${value} lines`
  if (kind === 'approved') return `the order approves ${wordNames(value.split('|'))} as suppliers`
  return kind === 'list' ? `the price list of ${name} is read` : `the file ${value} holds the quote`
}
