import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import type { HarnessRow } from '../index/bank-index.js'
import { TextSearch } from './text-search.js'

const word = fc.constantFrom('quote', 'price', 'log', 'Error', 'chain', 'author', 'page', 'the')
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))

const rowOf = (card: string, index: number): HarnessRow => {
  const known = { status: 'candidate', operator: 'seed', at: 0, position: 0, bytes: 0 } as const
  return { ...known, id: `h${index}`, name: 'own', card }
}

test('hits are those of one search of the library, in the order of its scores', () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.uniqueArray(word, { maxLength: 6 }),
      (cards, query) => {
        const [own, library] = [new TextSearch(), new MiniSearch<{ id: string; text: string }>({ fields: ['text'] })]
        for (const [index, card] of cards.entries()) {
          own.addHarness(rowOf(card, index))
          library.add({ id: `h${index}`, text: `own ${card}` })
        }
        const expected = library.search(query.join(' ')).map(({ score }) => score)
        const scores = new Map(library.search(query.join(' ')).map(({ id, score }) => [String(id), score]))
        const found = own.find(query.join(' '), 10).map(({ id }) => scores.get(id) ?? Number.NaN)

        expect(found.length).toBe(Math.min(10, expected.length))
        for (const [index, score] of found.entries()) expect(score).toBeCloseTo(expected[index] as number, 9)
      },
    ),
  )
})

test('a word that a task says twice counts once', () => {
  const search = new TextSearch()
  for (const [index, card] of ['the page', 'a price'].entries()) search.addHarness(rowOf(card, index))

  expect(search.find('the The the price a', 10).map(({ id }) => id)).toEqual(['h1', 'h0'])
})
