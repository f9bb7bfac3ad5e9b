import { expect, test } from 'vitest'
import { type Clearing, readClearing } from './clearing.js'

const mayGo = new Set([1, 2, 3, 4])
const read = (value: object) => readClearing(JSON.stringify(value), mayGo)
const parts = ({ flush, folds }: Clearing) => ({
  flush: [...flush],
  folds: folds.map(({ ids, notes }) => ({ ids: [...ids], notes })),
})

test('what can go is read from JSON', () => {
  const clearing = read({
    flush_ops: [{ id: 2, rationale: 'x' }],
    fold_ops: [{ ids: [1, '3'], rationale: 'x', notes: ' A\nis 3. ' }],
  })

  expect(parts(clearing as Clearing)).toEqual({ flush: [2], folds: [{ ids: [1, 3], notes: 'A is 3.' }] })
})

test('a thought goes once: a fold comes before a flush, and the first fold before others', () => {
  const clearing = read({
    flush_ops: [{ id: 1 }, { id: 4 }, { id: 4 }],
    fold_ops: [
      { ids: [1, 2, 1], notes: 'one' },
      { ids: [2, 3], notes: 'two' },
    ],
  })

  expect(parts(clearing as Clearing)).toEqual({
    flush: [4],
    folds: [
      { ids: [1, 2], notes: 'one' },
      { ids: [3], notes: 'two' },
    ],
  })
})

test('thoughts that must stay, and folds of which nothing would stay, are left out', () => {
  const clearing = read({
    flush_ops: [{ id: 9 }, { id: 1 }],
    fold_ops: [
      { ids: [2], notes: ' ' },
      { ids: [8], notes: 'x' },
      { ids: 'all', notes: 'x' },
    ],
  })

  expect(parts(clearing as Clearing)).toEqual({ flush: [1], folds: [] })
})

test.each([
  ['no JSON', 'fold it all', /no JSON object/],
  ['nothing', '{"flush_ops":[],"fold_ops":[]}', /names no node that may go .* 1, 2, 3, 4/],
  ['only what must stay', '{"flush_ops":[{"id":9}],"fold_ops":[]}', /names no node that may go/],
])('of %s nothing can be done, and it is said why', (_what, content, fault) => {
  expect(readClearing(content, mayGo)).toMatch(fault)
})
