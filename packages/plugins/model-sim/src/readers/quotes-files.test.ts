import { expect, test } from 'vitest'
import { readRawFiles } from './quotes-files.js'

const LISTS = {
  csv: 'supplier,item,eur per piece\nHalden,brass tee,3.40\nHalden,zinc rivet,12.05\n',
  json: '{\n "supplier": "Halden",\n "currency": "EUR",\n "per": 100,\n "prices": {\n  "brass tee": 340,\n  "zinc rivet": 1205\n }\n}\n',
  markdown:
    '# Price list of Halden\n\n| item | EUR per piece |\n| --- | ---: |\n| brass tee | 3.40 |\n| zinc rivet | 12.05 |\n',
  text: 'PRICE LIST of Halden, in EUR for one piece\n\nbrass tee......... 3.40\nzinc rivet........ 12.05\n',
}

const READ = [
  ['price:Halden:brass tee', '340'],
  ['price:Halden:zinc rivet', '1205'],
  ['list:Halden', 'read'],
]

test.each(Object.entries(LISTS))(
  'a list in %s gives its prices in cents for one piece, and that it is read',
  (_format, text) => {
    expect(claims(text)).toEqual(READ)
  },
)

test.each(Object.entries(LISTS))('a list in %s is read with lines that end as on Windows', (_format, text) => {
  expect(claims(text.replaceAll('\n', '\r\n'))).toEqual(READ)
})

test.each(Object.entries(LISTS))(
  'a list in %s is read behind other text, and its facts end where they stand',
  (_format, text) => {
    const before = 'The file has 5 lines.\n\n'
    const [first] = readRawFiles(before + text)

    expect(claims(before + text)).toEqual(READ)
    expect((before + text).slice(0, first?.end)).toMatch(/brass tee.*3\.?40/)
  },
)

test('a list for one piece in JSON is not divided', () => {
  expect(claims('{"supplier":"Borm","currency":"EUR","per":1,"prices":{"brass tee":3.4}}')[0]).toEqual([
    'price:Borm:brass tee',
    '340',
  ])
})

test('a list that was cut gives the prices that are left', () => {
  expect(claims(LISTS.csv.slice(0, -10))).toEqual([READ[0], READ[2]])
})

test('an order gives its suppliers, the number of its lines, and each line', () => {
  const order =
    'Order 77\nApproved suppliers: Halden and Borm\nLines: 2\n\n1. 12 pieces of brass tee\n2. 3 pieces of zinc rivet\n'

  expect(claims(order)).toEqual([
    ['approved', 'Halden|Borm'],
    ['lines', '2'],
    ['line:1', '12|brass tee'],
    ['line:2', '3|zinc rivet'],
  ])
})

test('numbered lines that follow no order are no order lines', () => {
  expect(claims('1. 12 pieces of brass tee\n2. 3 pieces of zinc rivet')).toEqual([])
})

function claims(text: string): readonly (readonly [string, string])[] {
  return readRawFiles(text).map(({ key, value }) => [key, value] as const)
}
