import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planSchema, readGoals } from './plan-format.js'

describe('goals are read', () => {
  test('from JSON, with what they wait for and the ways to reach them', () => {
    const reply = JSON.stringify({
      goals: [
        { id: '1', text: ' find the price ', dependsOn: [], paths: ['the list', 'the shop'] },
        { id: 2, text: 'compare', dependsOn: ['1', 7], paths: [] },
      ],
    })

    expect(readGoals(reply)).toEqual([
      { id: '1', text: 'find the price', dependsOn: [], paths: ['the list', 'the shop'] },
      { id: '2', text: 'compare', dependsOn: ['1', '7'], paths: [] },
    ])
  })

  test('from the published form, goals with numbers and their paths below (D16)', () => {
    const reply =
      '## Goal 1: **Find the price**\n- Path 1.1: the list, until a number stands there\n- the shop\n\n2) Compare.\n   Path 2.1: by hand'

    expect(readGoals(reply)).toEqual([
      {
        id: '1',
        text: 'Find the price',
        dependsOn: [],
        paths: ['Path 1.1: the list, until a number stands there', 'the shop'],
      },
      { id: '2', text: 'Compare.', dependsOn: [], paths: ['by hand'] },
    ])
  })

  test('from a list without numbers', () => {
    expect(readGoals('- look\n- write').map(({ id, text }) => [id, text])).toEqual([
      ['1', 'look'],
      ['2', 'write'],
    ])
  })

  test.each([
    ['prose', 'Well, that is hard to say.'],
    ['nothing', ''],
    ['JSON of another form', '{"steps":["look"]}'],
    ['a list of what is no goal', '{"goals":[null,3,"x",{},{"text":"  "}]}'],
    ['null', 'null'],
  ])('not from %s', (_what, reply) => {
    expect(readGoals(reply)).toEqual([])
  })
})

test('whatever a model writes, every goal has words, and there are a hundred at most', () => {
  const goal = fc.record({ id: fc.anything(), text: fc.anything(), dependsOn: fc.anything(), paths: fc.anything() })
  const reply = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(goal).map((goals) => JSON.stringify({ goals })),
    fc
      .array(fc.string(), { maxLength: 300 })
      .map((lines) => lines.map((line, index) => `${index}. ${line}`).join('\n')),
  )
  fc.assert(
    fc.property(reply, (text) => {
      const goals = readGoals(text)

      expect(goals.length).toBeLessThanOrEqual(100)
      for (const { text: words } of goals) expect(words.trim()).not.toBe('')
    }),
  )
})

test('the schema asks for as many goals and ways as the options allow, and requires every property', () => {
  expect(planSchema({ maxGoals: 3, maxPaths: 2 })).toMatchObject({
    title: 'plan',
    required: ['goals'],
    properties: {
      goals: {
        maxItems: 3,
        items: {
          required: ['id', 'text', 'dependsOn', 'paths'],
          additionalProperties: false,
          properties: { paths: { maxItems: 2 } },
        },
      },
    },
  })
})
