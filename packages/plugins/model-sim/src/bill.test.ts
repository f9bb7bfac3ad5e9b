import { expect, test } from 'vitest'
import { billReply, type Charge } from './bill.js'
import { PROFILES } from './profiles.js'
import type { Draft } from './shape.js'

function aCharge(change: Partial<Charge> = {}): Charge {
  return {
    profile: PROFILES['sim-mid'],
    purpose: 'act',
    inputTokens: 5_000,
    cachedTokens: 2_000,
    maxTokens: 1_000,
    callPrefix: 's',
    ...change,
  }
}

const draft: Draft = {
  content: 'x'.repeat(400),
  calls: [
    { name: 'read_file', arguments: '{"path":"a.txt"}' },
    { name: 'read_file', arguments: '{"path":"b.txt"}' },
  ],
  unfilled: [],
}

test('a reply costs its text, its calls and what was thought, a token for four characters', () => {
  const bill = billReply(draft, aCharge())

  expect(bill.usage).toEqual({
    inputTokens: 5_000,
    cachedTokens: 2_000,
    outputTokens: 60 + 100 + 14,
    reasoningTokens: 60,
    source: 'known',
  })
  expect(bill.finish).toBe('tool_calls')
  expect(bill.toolCalls.map((call) => call.id)).toEqual(['s_1', 's_2'])
})

test('its time is that to the first token, of the uncached input and of the output', () => {
  expect(billReply(draft, aCharge()).latencyMs).toBe(Math.round(500 + (3_000 / 9_000 + 174 / 110) * 1_000))
})

test('a plan is thought about five times as long', () => {
  expect(billReply(draft, aCharge({ purpose: 'plan' })).usage.reasoningTokens).toBe(300)
})

test('a reply is cut at its limit: calls that do not fit go, then text', () => {
  const one = billReply(draft, aCharge({ maxTokens: 60 + 100 + 7 }))
  const none = billReply(draft, aCharge({ maxTokens: 60 + 10 }))
  const nothing = billReply(draft, aCharge({ maxTokens: 30 }))

  expect([one.finish, one.toolCalls.length, one.usage.outputTokens]).toEqual(['length', 1, 167])
  expect([none.finish, none.content.length, none.toolCalls.length]).toEqual(['length', 40, 0])
  expect([nothing.finish, nothing.content, nothing.usage.outputTokens]).toEqual(['length', '', 30])
})
