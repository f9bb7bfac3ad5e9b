import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSubtasks } from './subtasks.js'

const goals = (...texts: string[]) => texts.map((goal, index) => ({ goal, index: index + 1 }))
const read = (value: unknown) => readSubtasks(JSON.stringify(value), 4)?.goals

test('dependencies stand beside the list or in its items, and their ids are numbers or texts', () => {
  const expected = [
    { id: '1', text: 'a', status: 'open' },
    { id: '2', text: 'b', status: 'open', dependsOn: ['1'] },
  ]

  expect(read({ subtasks: goals('a', 'b'), dependencies: { '2': ['1'] } })).toEqual(expected)
  expect(read({ subtasks: goals('a', 'b'), dependencies: { '2': [1] } })).toEqual(expected)
  expect(
    read({
      subtasks: [
        { goal: 'a', index: '1' },
        { goal: 'b', index: 2, dependencies: [1, '1'] },
      ],
    }),
  ).toEqual(expected)
})

test('subtasks that have one index, none, or words for it are numbered by their place, and none is lost', () => {
  expect(
    read({ subtasks: [{ goal: 'a', index: 1 }, { goal: 'b', index: 1 }, { goal: 'c' }] })?.map(({ id }) => id),
  ).toEqual(['1', '2', '3'])
  expect(
    read({
      subtasks: [
        { goal: 'a', index: 'first' },
        { goal: 'b', index: '__proto__', dependencies: ['first'] },
      ],
    }),
  ).toEqual([
    { id: '1', text: 'a', status: 'open' },
    { id: '2', text: 'b', status: 'open', dependsOn: ['1'] },
  ])
})

test('a dependency on oneself or on what is no subtask is dropped', () => {
  expect(read({ subtasks: goals('a', 'b'), dependencies: { '1': [1, 7, null, {}], '2': 'all' } })).toEqual([
    { id: '1', text: 'a', status: 'open' },
    { id: '2', text: 'b', status: 'open' },
  ])
})

test('no more are taken than were asked for', () => {
  expect(read({ subtasks: goals('a', 'b', 'c', 'd', 'e') })).toHaveLength(4)
})

test('whatever a reply holds, the ids are distinct, fit to be parts of a path, and those that are named exist', () => {
  const name = fc.oneof(fc.nat(5), fc.constantFrom('1', 'a', '__proto__', '../x', ''), fc.constant(null))
  const item = fc.record({
    goal: fc.oneof(fc.string(), fc.nat()),
    index: name,
    dependencies: fc.oneof(fc.array(name), name),
  })
  const reply = fc.record({ subtasks: fc.oneof(fc.array(item), fc.anything()), dependencies: fc.anything() })
  fc.assert(
    fc.property(reply, (value) => {
      const plan = readSubtasks(JSON.stringify(value) ?? '', 20)
      const ids = plan?.goals.map(({ id }) => id) ?? []

      expect(new Set(ids).size).toBe(ids.length)
      for (const { id, text, dependsOn = [] } of plan?.goals ?? []) {
        expect(id).toMatch(/^\d+$/)
        expect(text.trim()).not.toBe('')
        expect(dependsOn.every((one) => one !== id && ids.includes(one))).toBe(true)
      }
    }),
  )
})
