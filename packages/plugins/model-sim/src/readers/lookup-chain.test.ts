import { describe, expect, test } from 'vitest'
import type { Claim, Goal, Known, Problem } from '../reader.js'
import { lookupChainReader } from './lookup-chain.js'

const CARD = [
  'Card of Ada Moreno, stores, room 214',
  '',
  'The room is shared with Tom Reck (people/tom-reck.txt) on Tuesdays.',
  'The badge of Ada Moreno is B-48213.',
  'After Ada Moreno comes Jonas Pell (people/jonas-pell.txt).',
].join('\n')

const TASK = 'Make 3 visits, one after another. Visit 1 is Ada Moreno (people/ada-moreno.txt).'

test('a task has a goal a visit, and says who the first one is', () => {
  const problem = lookupChainReader.task(TASK)

  expect(problem?.goals.map(({ id }) => id)).toEqual(['visit:1', 'visit:2', 'visit:3'])
  expect(lookupChainReader.facts(TASK).map(({ key, value }) => [key, value])).toEqual([
    ['visit:1', 'Ada Moreno|people/ada-moreno.txt'],
  ])
})

test('a card gives the badge of its owner and who comes after, and no one whom it names beside', () => {
  expect(lookupChainReader.facts(CARD).map(({ key, value }) => [key, value])).toEqual([
    ['badge:Ada Moreno', 'B-48213'],
    ['after:Ada Moreno', 'Jonas Pell|people/jonas-pell.txt'],
  ])
})

describe('what a card means for the task', () => {
  const problem = lookupChainReader.task(TASK) as Problem

  test('who comes after the person of a visit is the next visit, link by link', () => {
    const claims = [
      claim('after:Jonas Pell', 'Fay Lund|people/fay-lund.txt'),
      claim('after:Ada Moreno', 'Jonas Pell|people/jonas-pell.txt'),
      claim('visit:1', 'Ada Moreno|people/ada-moreno.txt'),
    ]

    expect([...problem.meanings(claims)]).toEqual([
      ['after:Ada Moreno', 'visit:2'],
      ['after:Jonas Pell', 'visit:3'],
    ])
  })

  test('a card of somebody whom no visit is known to be means nothing', () => {
    expect(problem.meanings([claim('after:Jonas Pell', 'Fay Lund|people/fay-lund.txt')]).size).toBe(0)
  })

  test('people who name one another in a circle end with the visits', () => {
    const claims = [
      claim('visit:1', 'Ada Moreno|a.txt'),
      claim('after:Ada Moreno', 'Jonas Pell|b.txt'),
      claim('after:Jonas Pell', 'Ada Moreno|a.txt'),
    ]

    expect(problem.meanings(claims).size).toBe(2)
  })
})

describe('how far a visit is', () => {
  const whole = lookupChainReader.task(TASK) as Problem
  const part = lookupChainReader.subtask([{ id: 'visit:1' }, { id: 'visit:2' }])
  const first = ['visit:1', 'Ada Moreno|people/ada-moreno.txt'] as const
  const second = ['visit:2', 'Jonas Pell|people/jonas-pell.txt'] as const
  const third = ['visit:3', 'Fay Lund|people/fay-lund.txt'] as const

  test('it waits until it is known who it is, is ready then, and done when the next one is known', () => {
    expect(states(whole, known(first))).toEqual(['ready', 'waiting', 'waiting'])
    expect(states(whole, known(first, second))).toEqual(['done', 'ready', 'waiting'])
  })

  test('who knows a later visit need not make the earlier ones again', () => {
    expect(states(whole, known(third))).toEqual(['done', 'done', 'ready'])
  })

  test('the last visit of the task is done when its badge is known, that of a subtask when the next one is', () => {
    expect(states(whole, known(third, ['visit:4', 'Tom Reck|people/tom-reck.txt']))).toEqual(['done', 'done', 'ready'])
    expect(states(whole, known(third, ['badge:Fay Lund', 'B-10001']))).toEqual(['done', 'done', 'done'])
    expect(states(part, known(first, second))).toEqual(['done', 'ready'])
    expect(states(part, known(first, second, third))).toEqual(['done', 'done'])
  })

  test('it is made by reading the card whose path is known', () => {
    expect(whole.intent({ id: 'visit:2' }, known(first, second), () => false)).toEqual({
      verb: 'read',
      path: 'people/jonas-pell.txt',
    })
  })
})

test('of use are the furthest visit, the last one, and the badge of the last one', () => {
  const problem = lookupChainReader.subtask([{ id: 'visit:2' }, { id: 'visit:3' }])
  const all = known(
    ['visit:2', 'Jonas Pell|b.txt'],
    ['visit:3', 'Fay Lund|c.txt'],
    ['visit:4', 'Tom Reck|d.txt'],
    ['badge:Jonas Pell', 'B-10001'],
    ['badge:Fay Lund', 'B-10002'],
  )
  const useful = [...all].filter(([key, value]) => problem.matters({ key, value }, all)).map(([key]) => key)

  expect(useful).toEqual(['visit:3', 'visit:4', 'badge:Fay Lund'])
})

test('the answer is the badge of the furthest visit that is known', () => {
  const problem = lookupChainReader.task(TASK) as Problem
  const none = () => false
  const two = known(['visit:2', 'Jonas Pell|b.txt'], ['badge:Jonas Pell', 'B-10001'], ['visit:3', 'Fay Lund|c.txt'])

  expect(problem.answer(new Map(), none)).toBe('No badge is known.')
  expect(problem.answer(two, none)).toBe('The badge of visit 2 is B-10001.')
  expect(problem.answer(new Map([...two, ['badge:Fay Lund', 'B-10002']]), none)).toBe(
    'The badge of visit 3 is B-10002.',
  )
})

function claim(key: string, value: string): Claim {
  return { key, value }
}

function known(...entries: readonly (readonly [string, string])[]): Known {
  return new Map(entries)
}

function states(problem: Problem, all: Known): readonly string[] {
  return problem.goals.map((goal: Goal) => problem.stateOf(goal, all))
}
