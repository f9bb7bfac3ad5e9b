import { expect, test } from 'vitest'
import { parseLimits } from './parse-limits.js'
import { parseRng } from './parse-rng.js'

test('limits are read by name', () => {
  expect(parseLimits('steps=40,tokens=200000,usd=0.5,ms=120000')).toEqual({
    steps: 40,
    tokens: 200_000,
    usd: 0.5,
    ms: 120_000,
  })
  expect(parseLimits('usd=0')).toEqual({ usd: 0 })
})

test.each([
  '',
  'steps',
  'steps=',
  'steps=0',
  'steps=-1',
  'steps=1.5',
  'steps=1e3',
  'steps=0x10',
  'steps= 4',
  'steps=4,',
  'steps=4,steps=5',
  'steps=4=5',
  'usd=.5',
  'usd=-1',
  'usd=Infinity',
  'ms=99999999999999999999',
])('%j is no list of limits', (text) => {
  expect(() => parseLimits(text)).toThrow(expect.objectContaining({ code: 'E_CLI_OPTION' }))
})

test('an unknown limit is refused with the nearest', () => {
  expect(() => parseLimits('token=5')).toThrow(expect.objectContaining({ hint: 'Write --limit tokens=<number>.' }))
})

test('the random seed is a whole number, 1 when none is given', () => {
  expect(parseRng(undefined)).toBe(1)
  expect(parseRng('-12')).toBe(-12)
  for (const text of ['1.5', 'x', '1e3', '9007199254740993']) {
    expect(() => parseRng(text)).toThrow(expect.objectContaining({ code: 'E_CLI_OPTION' }))
  }
})
