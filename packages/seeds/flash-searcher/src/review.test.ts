import type { Plan } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPlan } from './goal-graph.js'
import { applyReview } from './review.js'

const plan: Plan = toPlan([
  { id: '1', text: 'find the price', dependsOn: [], paths: ['the list', 'the shop'] },
  { id: '2', text: 'compare', dependsOn: ['1'], paths: [] },
])

/** A review of one goal, as JSON. */
const review = (change: object): string =>
  JSON.stringify({
    goals: [{ id: '1', text: 'find the price', status: 'active', evidence: '', pathFailed: false, ...change }],
  })

describe('a review', () => {
  test('settles a goal, and the way that led to it, where something observed shows it', () => {
    const reviewed = applyReview(plan, review({ status: 'done', evidence: 'the list says 340' }))

    expect(reviewed?.plan.goals[0]).toMatchObject({
      status: 'done',
      paths: [{ status: 'done' }, { text: 'the shop', status: 'open' }],
    })
    expect(reviewed?.switches).toEqual([])
  })

  test('does not settle a goal for which nothing was observed', () => {
    expect(applyReview(plan, review({ status: 'done', evidence: '  ' }))?.plan.goals[0]?.status).toBe('active')
  })

  test('goes over to the next way when one has failed, and says so', () => {
    const reviewed = applyReview(plan, review({ pathFailed: true }))

    expect(reviewed?.plan.goals[0]).toMatchObject({
      status: 'active',
      paths: [
        { text: 'the list', status: 'failed' },
        { text: 'the shop', status: 'active' },
      ],
    })
    expect(reviewed?.switches).toEqual([{ goal: '1', from: 'the list', to: 'the shop' }])
  })

  test('gives a goal up only when every way has failed, whatever it is called', () => {
    const first = applyReview(plan, review({ status: 'failed' }))
    const second = applyReview(first?.plan ?? plan, review({ status: 'failed' }))

    expect(first?.plan.goals[0]?.status).toBe('active')
    expect(second?.plan.goals[0]).toMatchObject({
      status: 'failed',
      paths: [{ status: 'failed' }, { status: 'failed' }],
    })
    expect(second?.switches).toEqual([])
  })

  test('knows a goal by its words where the id is another, and adds one that was missing', () => {
    const reply = JSON.stringify({
      goals: [
        { id: 'a', text: 'compare', status: 'active', evidence: '', pathFailed: false },
        { id: '1', text: 'write it down', status: 'open', evidence: '', pathFailed: false },
        { id: 'x', text: 'check the sum', status: 'open', evidence: '', pathFailed: false },
      ],
    })

    expect(applyReview(plan, reply)?.plan.goals.map(({ id, text, status }) => [id, text, status])).toEqual([
      ['1', 'find the price', 'open'],
      ['2', 'compare', 'active'],
      ['x', 'check the sum', 'open'],
    ])
  })

  test('is read from lines where the model was not bound to a schema', () => {
    const reviewed = applyReview(plan, '1. find the price (done)\n2. compare (active, after 1)')

    expect(reviewed?.plan.goals.map(({ status }) => status)).toEqual(['done', 'active'])
  })

  test('that names no goals is none', () => {
    expect(applyReview(plan, 'All is well.')).toBeUndefined()
    expect(applyReview(plan, '{"goals":[]}')).toBeUndefined()
  })
})

test('whatever a model writes, no goal is lost or reworded, ids stay distinct, and a switch is told where the way is another', () => {
  const item = fc.record({
    id: fc.oneof(fc.constantFrom('1', '2', '3', ''), fc.anything()),
    text: fc.oneof(fc.constantFrom('find the price', 'compare', 'more'), fc.anything()),
    status: fc.oneof(fc.constantFrom('open', 'active', 'done', 'failed'), fc.anything()),
    evidence: fc.oneof(fc.constantFrom('', 'seen'), fc.anything()),
    pathFailed: fc.oneof(fc.boolean(), fc.anything()),
  })
  const reply = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(item).map((goals) => JSON.stringify({ goals })),
  )
  fc.assert(
    fc.property(fc.array(reply, { minLength: 1, maxLength: 5 }), (replies) => {
      let now = plan
      for (const text of replies) {
        const reviewed = applyReview(now, text)
        if (reviewed === undefined) continue
        const { goals } = reviewed.plan
        expect(goals.slice(0, now.goals.length).map((goal) => goal.text)).toEqual(now.goals.map((goal) => goal.text))
        expect(new Set(goals.map(({ id }) => id)).size).toBe(goals.length)
        for (const { from, to } of reviewed.switches) expect(from).not.toBe(to)
        now = reviewed.plan
      }
    }),
  )
})
