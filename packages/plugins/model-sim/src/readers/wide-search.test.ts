import { expect, test } from 'vitest'
import type { Known, Problem } from '../reader.js'
import { wideSearchReader } from './wide-search.js'

const problem = wideSearchReader.task(
  'List the heights of 3 towers: Alba, Borm and Cersk. A gazetteer lies in pages/.',
) as Problem
const [alba, borm, cersk] = problem.goals as [
  Problem['goals'][number],
  Problem['goals'][number],
  Problem['goals'][number],
]

const FOUND = [
  'pages/region-1.md:3: ## Alba',
  'pages/region-1.md:5: Alba was begun in 1923, to plans that gave it 314 m and two galleries.',
  'pages/region-1.md:6: The height of Alba is 146 m.',
  'pages/region-2.md:9: The height of Borm is on survey sheet 52 (sheets/sheet-52.txt).',
].join('\n')

test('a search gives the height of a tower, or the sheet that it is on, and no other number', () => {
  expect(wideSearchReader.facts(FOUND).map(({ key, value }) => [key, value])).toEqual([
    ['height:Alba', '146'],
    ['source:Borm', '52|sheets/sheet-52.txt'],
  ])
})

test('what a sheet gives is the height of the tower of which the gazetteer says so', () => {
  const [sheet] = wideSearchReader.facts('Survey sheet 52, 1836, copy\nSurvey sheet 52 gives 399 m from the threshold.')
  const [, source] = wideSearchReader.facts(FOUND)

  expect(sheet).toMatchObject({ key: 'sheet:52', value: '399' })
  expect([...problem.meanings([source, sheet].filter((one) => one !== undefined))]).toEqual([
    ['sheet:52', 'height:Borm'],
  ])
  expect(problem.meanings([sheet].filter((one) => one !== undefined)).size).toBe(0)
})

test('a tower is searched for by its name, then looked up on its sheet, and done when its height is known', () => {
  const none = () => false
  const known: Known = new Map([
    ['height:Alba', '146'],
    ['source:Borm', '52|sheets/sheet-52.txt'],
  ])

  expect(problem.goals.map((goal) => problem.stateOf(goal, known))).toEqual(['done', 'ready', 'ready'])
  expect(problem.intent(borm, known, none)).toEqual({ verb: 'read', path: 'sheets/sheet-52.txt' })
  expect(problem.intent(cersk, known, none)).toEqual({ verb: 'search', query: 'Cersk' })
})

test('of use are heights that are asked for, and the sheets of those that are not known', () => {
  const known: Known = new Map([
    ['height:Alba', '146'],
    ['source:Alba', '11|a.txt'],
    ['source:Borm', '52|b.txt'],
    ['height:Zirl', '99'],
    ['sheet:7', '45'],
  ])
  const useful = [...known].filter(([key, value]) => problem.matters({ key, value }, known)).map(([key]) => key)

  expect(useful).toEqual(['height:Alba', 'source:Borm'])
  expect(problem.needed([alba, borm, cersk], known)).toEqual(['source:Alba', 'source:Borm'])
})

test('the answer lists the heights that are known, in the order of the question, and is read back claim by claim', () => {
  const answer = problem.answer(
    new Map([
      ['height:Cersk', '5'],
      ['height:Alba', '146'],
    ]),
    () => false,
  )

  expect(answer).toBe('{"heights":{"Alba":146,"Cersk":5}}')
  expect(problem.claimsOf(answer ?? '')).toEqual([
    { key: 'height:Alba', value: '146' },
    { key: 'height:Cersk', value: '5' },
  ])
  expect(['', '{', '{"heights":3}', '[1]'].map((text) => problem.claimsOf(text))).toEqual(Array(4).fill(undefined))
})

test('a subtask is answered by saying what was found', () => {
  expect(wideSearchReader.subtask([alba]).answer(new Map([['height:Alba', '146']]), () => false)).toBeUndefined()
})
