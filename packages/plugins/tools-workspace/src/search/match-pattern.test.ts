import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { catchError } from '../../test/thrown.js'
import { matchPattern, type PatternSearch } from './match-pattern.js'

const CATASTROPHE = '(a+)+$'
const VICTIM = `${'a'.repeat(40)}!`

function makeSearch(search: Partial<PatternSearch>): PatternSearch {
  const signal = new AbortController().signal
  return { pattern: 'x', texts: [], maxMatches: 100, timeoutMs: 30_000, signal, ...search }
}

test('lines that match are found in order, up to the limit', async () => {
  const texts = ['one\ntwo\r\nthree', 'two']

  const all = await matchPattern(makeSearch({ pattern: '^t\\w+$', texts }))
  const two = await matchPattern(makeSearch({ pattern: '^t\\w+$', texts, maxMatches: 2 }))

  expect(all).toEqual([
    { text: 0, line: 1, column: 0 },
    { text: 0, line: 2, column: 0 },
    { text: 1, line: 0, column: 0 },
  ])
  expect(two).toEqual(all.slice(0, 2))
})

test('(?i) at the beginning makes upper and lower case the same', async () => {
  expect(await matchPattern(makeSearch({ pattern: '(?i)TWO', texts: ['two'] }))).toHaveLength(1)
  expect(await matchPattern(makeSearch({ pattern: 'TWO', texts: ['two'] }))).toHaveLength(0)
})

test('a catastrophic pattern is killed when its time is up', async () => {
  const workers: Worker[] = []
  const remember = (worker: Worker) => void workers.push(worker)
  process.on('worker', remember)
  onTestFinished(() => void process.off('worker', remember))
  const before = performance.now()

  const error = await catchError(() =>
    matchPattern(makeSearch({ pattern: CATASTROPHE, texts: [VICTIM], timeoutMs: 200 })),
  )

  expect(error.code).toBe('E_WORKSPACE_PATTERN')
  expect(error.message).toContain('more than 200 ms')
  expect(performance.now() - before).toBeLessThan(5000)
  expect(workers.map(({ threadId }) => threadId)).toEqual([-1]) // one, and it has ended
})

test('an abort ends a pattern with the reason of the signal', async () => {
  const controller = new AbortController()
  const search = matchPattern(
    makeSearch({ pattern: CATASTROPHE, texts: [VICTIM], timeoutMs: 60_000, signal: controller.signal }),
  )

  controller.abort(new Error('enough'))

  await expect(search).rejects.toThrow('enough')
  await expect(matchPattern(makeSearch({ signal: controller.signal }))).rejects.toThrow('enough')
})

test('a pattern that is no regular expression is told as such', async () => {
  const error = await catchError(() => matchPattern(makeSearch({ pattern: '(' })))

  expect(error.code).toBe('E_WORKSPACE_PATTERN')
  expect(error.message).toContain('not valid')
})

test('a pattern whose compilation needs too much is stopped too', async () => {
  const pattern = '((((((((a{1,999}){1,999}){1,999}){1,999}){1,999}){1,999}){1,999}){1,999})x'

  const error = await catchError(() => matchPattern(makeSearch({ pattern, texts: ['a'.repeat(5000)], timeoutMs: 300 })))

  expect(error.code).toBe('E_WORKSPACE_PATTERN')
})
