import type { Step, ToolCall } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameCall, madeBefore } from './made-before.js'

const call = (text: string, id = 'a', name = 'put'): ToolCall => ({ id, name, arguments: text })

test.each([
  ['{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }', true],
  ['{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}', true],
  ['{"a":[1,2]}', '{"a":[2,1]}', false],
  ['{"a":1}', '{"a":"1"}', false],
  ['{"a":', '{"a":', true],
  ['{"a":', '{}', false],
])('arguments %s and %s are the same: %s', (one, other, isSame) => {
  expect(isSameCall(call(one), call(other))).toBe(isSame)
})

test('calls of other tools are others', () => {
  expect(isSameCall(call('{}'), call('{}', 'a', 'look'))).toBe(false)
})

test('arguments are the same in whatever order their names stand', () => {
  const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(names, fc.array(fc.jsonValue(), { minLength: 6, maxLength: 6 }), (keys, values) => {
      const write = (order: readonly string[]): string =>
        `{${order.map((key) => `${JSON.stringify(key)}:${JSON.stringify(values[keys.indexOf(key)])}`).join()}}`

      expect(isSameCall(call(write(keys)), call(write(keys.toReversed())))).toBe(true)
    }),
  )
})

test('a call was made in the first step that has it, and one that failed counts only where that is asked', () => {
  const step = (index: number, ok: boolean): Step =>
    ({
      index,
      action: { kind: 'call', calls: [call('{"a":1}', 'x')] },
      observations: [{ callId: 'x', ok }],
    }) as unknown as Step
  const history = [
    { index: 1, action: { kind: 'think' }, observations: [] } as unknown as Step,
    step(2, false),
    step(3, true),
  ]

  expect(madeBefore(history, call('{"a":1}'), { failed: false })).toBe(3)
  expect(madeBefore(history, call('{"a":1}'), { failed: true })).toBe(2)
  expect(madeBefore(history, call('{"a":2}'), { failed: true })).toBeUndefined()
})
