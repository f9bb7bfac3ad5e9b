import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCheck, readFollowUp, readIntegration, readPlan } from './research-forms.js'

const plan = {
  info_needs: ['where A is'],
  keyword_collection: ['A', ' '],
  vector_queries: ['the place of A', 7],
  page_index: [3, '4', 'x', 1.5],
}

describe('a plan', () => {
  test('is read from JSON, without what is no text or no page', () => {
    expect(readPlan(JSON.stringify({ ...plan, tools: [] }))).toEqual({
      needs: ['where A is'],
      queries: ['A', 'the place of A'],
      pages: [3, 4],
    })
  })

  test('goes only the ways that it names', () => {
    expect(readPlan(JSON.stringify({ ...plan, tools: ['vector'] }))).toMatchObject({
      queries: ['the place of A'],
      pages: [],
    })
    expect(readPlan(JSON.stringify({ ...plan, tools: ['page_index'] }))).toMatchObject({ queries: [], pages: [3, 4] })
  })

  test('asks for five things of a kind at most', () => {
    const many = Array.from({ length: 9 }, (_, at) => `w${at}`)

    expect(readPlan(JSON.stringify({ keyword_collection: many, page_index: many.map((_, at) => at) }))).toMatchObject({
      queries: many.slice(0, 5),
      pages: [0, 1, 2, 3, 4],
    })
  })
})

test('an integration is its content, and none where that is no text (D15.7)', () => {
  expect(readIntegration('{"content":" A is 3. ","sources":[1]}')).toBe('A is 3.')
  for (const text of ['{}', '{"content":[]}', 'A is 3.', 'null', '{"content":""}'])
    expect(readIntegration(text)).toBe('')
})

test('it is enough unless a reply says that it is not', () => {
  expect(readCheck('{"enough":false}')).toBe(false)
  for (const text of ['{"enough":true}', '{}', '{"enough":"false"}', 'no']) expect(readCheck(text)).toBe(true)
})

test('whatever a model writes, it is read as something or as nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readPlan(text)?.queries.length ?? 0).toBeLessThanOrEqual(10)
      expect(typeof readIntegration(text)).toBe('string')
      for (const request of readFollowUp(text)) expect(request.trim()).not.toBe('')
    }),
  )
})
