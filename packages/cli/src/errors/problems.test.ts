import { expect, test } from 'vitest'
import { renderProblems } from './problems.js'

const PROBLEM = {
  code: 'E_MANIFEST_OPTION',
  pointer: '/memory/with/fill',
  message: 'Expected a number from 0.1 to 0.9; found 7.',
  found: '7',
  expected: 'a number from 0.1 to 0.9',
  nearest: [],
  fix: 'Give a number from 0.1 to 0.9.',
} as const

test('a problem says once what was found and once what was expected', () => {
  expect(renderProblems([PROBLEM])).toEqual([
    '1. E_MANIFEST_OPTION at /memory/with/fill',
    '   found: 7',
    '   expected: a number from 0.1 to 0.9',
    '   fix: Give a number from 0.1 to 0.9.',
  ])
})

test('a message that says more has its line', () => {
  const lines = renderProblems([
    PROBLEM,
    { ...PROBLEM, message: 'Nothing provides "plan".', nearest: ['a\u001b[5m', 'b'] },
  ])

  expect(lines.slice(4)).toEqual([
    '2. E_MANIFEST_OPTION at /memory/with/fill',
    '   Nothing provides "plan".',
    '   found: 7',
    '   expected: a number from 0.1 to 0.9',
    '   nearest: a, b',
    '   fix: Give a number from 0.1 to 0.9.',
  ])
})
