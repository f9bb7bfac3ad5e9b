import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchPages, snippetOf } from './page-search.js'

/** True for a text in which no surrogate stands alone. */
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text)

const pages = (...texts: string[]) => texts.map((text, at) => ({ id: at + 1, text }))

describe('a search', () => {
  test('finds the pages that hold words of the queries, rare ones before common ones', () => {
    const list = pages('the pump I-101', 'the pump', 'the valve', 'a Pump, the pump')

    expect(searchPages(list, ['valve'])).toEqual([3])
    expect(searchPages(list, ['pump', 'i-101'])[0]).toBe(1)
    expect(searchPages(list, ['pump'])).toEqual([4, 2, 1])
  })

  test('finds the newer of two pages with the same words first, and nothing where no word is', () => {
    expect(searchPages(pages('a pump', 'a pump'), ['pump'])).toEqual([2, 1])
    expect(searchPages(pages('a pump'), ['valve', '…'])).toEqual([])
    expect(searchPages([], ['pump'])).toEqual([])
  })
})

describe('a snippet', () => {
  test('is the whole of a short page, and else the stretch with most of what is looked for', () => {
    const long = `${'x '.repeat(300)}incident at pump three${' y'.repeat(300)}`

    expect(snippetOf('short', ['x'], 500)).toBe('short')
    expect(snippetOf(long, ['incident', 'pump'], 100)).toContain('incident at pump three')
    expect(snippetOf(long, [], 10)).toBe(`${'x '.repeat(5)}…`)
  })
})

test('whatever is looked for, each page is found once at most, and a snippet is no longer than it may be', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('pump valve', 'constructor', '😀'.repeat(20)))
  fc.assert(
    fc.property(
      fc.array(text),
      fc.array(text, { maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      (texts, queries, chars) => {
        const found = searchPages(pages(...texts), queries)
        expect(new Set(found).size).toBe(found.length)
        for (const one of texts) {
          const snippet = snippetOf(one, queries, chars)
          expect(snippet.length).toBeLessThanOrEqual(chars + 2)
          if (isWhole(one)) expect(isWhole(snippet)).toBe(true)
        }
      },
    ),
  )
})
