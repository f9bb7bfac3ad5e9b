import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../types/index.js'
import { cleanMessage, faultOf, healMessages, healView, keepsHead } from './validity.js'

const user = (content: string): Message => ({ role: 'user', content })
const system: Message = { role: 'system', content: 'rules' }
const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
})
const result = (callId: string): Message => ({ role: 'tool', callId, content: `result of ${callId}` })

test('a history with its calls and results in order has no fault', () => {
  expect(
    faultOf([system, user('go'), calling('a', 'b'), result('a'), result('b'), { role: 'assistant', content: 'done' }]),
  ).toBeUndefined()
  expect(faultOf([])).toBeUndefined()
})

test.each<[string, readonly Message[], RegExp]>([
  ['a call without a result', [user('go'), calling('a')], /"a" has no result/],
  ['a result without a call', [user('go'), result('a')], /"a", which no call before it makes/],
  ['a result said twice', [calling('a'), result('a'), result('a')], /"a", which no call/],
  ['a result after other messages', [calling('a'), user('x'), result('a')], /between a call and its result/],
  ['a result before its call', [result('a'), calling('a')], /which no call before it makes/],
  ['a system message after others', [user('go'), system], /system message after others/],
  ['a call made twice', [calling('a'), result('a'), calling('a'), result('a')], /"a", which is made twice/],
  ['one id for two calls of a message', [calling('a', 'a'), result('a'), result('a')], /"a", which is made twice/],
])('%s is a fault, said in words', (_, messages, fault) => {
  expect(faultOf(messages)).toMatch(fault)
})

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constant(system),
  fc.string().map(user),
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }).map((ids) => calling(...ids)),
  fc.constantFrom('a', 'b', 'c', 'd').map(result),
)

test('whatever a list of messages is, its healed form has no fault', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 14 }), (messages) => {
      expect(faultOf(healMessages(messages))).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

test('of two results of one call the first is kept, as the model has seen it', () => {
  const late: Message = { role: 'tool', callId: 'a', content: 'late' }

  expect(healMessages([calling('a'), result('a'), late])).toEqual([calling('a'), result('a')])
})

test('healing leaves a valid list as it is, and a healed one', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 14 }), (messages) => {
      const healed = healMessages(messages)

      expect(healMessages(healed)).toEqual(healed)
    }),
  )
})

test('healing invents no result: a missing one is said to be missing', () => {
  const healed = healMessages([user('go'), calling('a', 'b'), result('b')])

  expect(healed.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'go'],
    ['assistant', ''],
    ['tool', expect.stringMatching(/^error: .*not available/)],
    ['tool', 'result of b'],
  ])
})

test('a message that stands there twice is healed to once, with its result', () => {
  const healed = healMessages([user('go'), calling('a'), result('a'), calling('a'), result('a'), user('more')])

  expect(healed).toEqual([user('go'), calling('a'), result('a'), user('more')])
})

test('the head is kept when the view begins with its messages, by id and content', () => {
  const head: readonly Message[] = [
    { ...system, id: 'head.0' },
    { ...user('task'), id: 'head.1' },
  ]
  const [first, second] = head as [Message, Message]

  expect(keepsHead(head, [...head, user('x')])).toBe(true)
  expect(keepsHead(head, [{ ...first }, { ...second }])).toBe(true)
  expect(keepsHead(head, [second, first])).toBe(false)
  expect(keepsHead(head, [first])).toBe(false)
  expect(keepsHead(head, [first, { ...second, content: 'another task' }])).toBe(false)
})

test('a healed view begins with the head, once, and keeps what else was there', () => {
  const head: readonly Message[] = [
    { ...system, id: 'head.0' },
    { ...user('task'), id: 'head.1' },
  ]
  const changed: Message = { ...user('another task'), id: 'head.1' }

  expect(healView(head, [user('task'), user('more'), { role: 'assistant', content: 'task' }])).toEqual([
    ...head,
    user('more'),
    { role: 'assistant', content: 'task' },
  ])
  expect(healView(head, [changed, user('more')])).toEqual([...head, user('more')])
  expect(healView(head, [])).toEqual(head)
})

test('a message without lone surrogates is given back as it is, another cleaned in all its texts', () => {
  const good = calling('a')

  expect(cleanMessage(good)).toBe(good)
  const bad: Message = { ...user('x\ud83d'), reasoning: '\udc00' }
  for (const _ of ['first', 'again']) expect(cleanMessage(bad)).toEqual({ ...user('x\ufffd'), reasoning: '\ufffd' })
})
