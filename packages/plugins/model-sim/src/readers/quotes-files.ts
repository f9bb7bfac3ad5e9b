import type { Fact } from '../reader.js'
import { readNames } from './names.js'

const PRICE = String.raw`(?<price>\d+(?:\.\d+)?)`
const ITEM = '(?<item>[a-z]+ [a-z]+)'
const SUPPLIER = '(?<supplier>[A-Z][a-z]+)'
const LINE_END = String.raw`[ \t]*(?:\r?\n|$)`

/** How a price list begins and how its rows go, by format. The supplier stands in the heading or in each row. */
const FORMATS = [
  { start: /supplier,item,eur per piece\r?\n/g, row: new RegExp(`${SUPPLIER},${ITEM},${PRICE}${LINE_END}`, 'y') },
  {
    start: new RegExp(String.raw`#+ Price list of ${SUPPLIER}[^|]*\|[^\n]*\n\|[ :|-]+\r?\n`, 'g'),
    row: new RegExp(String.raw`\| ${ITEM} \| ${PRICE} \|${LINE_END}`, 'y'),
  },
  {
    start: new RegExp(String.raw`PRICE LIST of ${SUPPLIER}, in EUR for one piece\s+`, 'g'),
    row: new RegExp(String.raw`${ITEM}\.+ ${PRICE}${LINE_END}`, 'y'),
  },
] as const

const JSON_START = /"supplier":\s*"([A-Z][a-z]+)",\s*"currency":\s*"EUR",\s*"per":\s*(\d+),\s*"prices":\s*\{\s*/g
const JSON_ROW = /"([a-z]+ [a-z]+)":\s*(\d+(?:\.\d+)?)\s*,?\s*/y

const ORDER = /Order \d+\s+Approved suppliers: ([A-Z][a-z]+(?:(?:, | and )[A-Z][a-z]+)*)\s+Lines: (\d+)\s+/g
const ORDER_ROW = /(\d+)\. (\d+) pieces of ([a-z]+ [a-z]+)(?:\s+|$)/y

/** Facts of the raw files: the order, and price lists in each of their formats. */
export function readRawFiles(text: string): readonly Fact[] {
  return [...readOrders(text), ...readJsonLists(text), ...FORMATS.flatMap((format) => readLists(text, format))]
}

/** The claim of a price, in whole cents for one piece. */
export function toPriceFact(supplier: string, item: string, cents: number, end: number): Fact {
  return { key: `price:${supplier}:${item}`, value: String(Math.round(cents)), end }
}

/** The claim that a list was read to its end. */
export function toListFact(supplier: string, end: number): Fact {
  return { key: `list:${supplier}`, value: 'read', isProgress: true, end }
}

function readOrders(text: string): readonly Fact[] {
  return [...text.matchAll(ORDER)].flatMap((match) => {
    const [whole, names = '', lines = ''] = match
    const end = match.index + whole.length
    const rows = readRows(text, ORDER_ROW, end).map((row) => {
      const [, line, pieces, item] = row.match
      return { key: `line:${line}`, value: `${pieces}|${item}`, end: row.end }
    })
    return [{ key: 'approved', value: readNames(names).join('|'), end }, { key: 'lines', value: lines, end }, ...rows]
  })
}

function readJsonLists(text: string): readonly Fact[] {
  return [...text.matchAll(JSON_START)].flatMap((match) => {
    const [whole, supplier = '', per = '1'] = match
    const rows = readRows(text, JSON_ROW, match.index + whole.length)
    return toListFacts(
      rows.map(({ match: [, item = '', price = ''], end }) =>
        toPriceFact(supplier, item, (Number(price) * 100) / Number(per), end),
      ),
      supplier,
    )
  })
}

function readLists(text: string, { start, row }: (typeof FORMATS)[number]): readonly Fact[] {
  return [...text.matchAll(start)].flatMap((heading) => {
    const rows = readRows(text, row, heading.index + heading[0].length)
    const supplier = heading.groups?.['supplier'] ?? rows[0]?.match.groups?.['supplier'] ?? ''
    const prices = rows.map(({ match: { groups = {} }, end }) =>
      toPriceFact(supplier, groups['item'] ?? '', Number(groups['price']) * 100, end),
    )
    return toListFacts(prices, supplier)
  })
}

function toListFacts(prices: readonly Fact[], supplier: string): readonly Fact[] {
  const end = prices.at(-1)?.end
  return end === undefined ? [] : [...prices, toListFact(supplier, end)]
}

interface Row {
  readonly match: RegExpExecArray
  readonly end: number
}

/** The rows that follow one another from a place on. */
function readRows(text: string, pattern: RegExp, from: number): readonly Row[] {
  const rows: Row[] = []
  const sticky = new RegExp(pattern)
  sticky.lastIndex = from
  for (let match = sticky.exec(text); match !== null; match = sticky.exec(text))
    rows.push({ match, end: sticky.lastIndex })
  return rows
}
