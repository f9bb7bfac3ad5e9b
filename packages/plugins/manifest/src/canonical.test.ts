import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical.js'

describe('canonicalJson', () => {
  // RFC 8785, section 3.2.2.
  test('writes the sample of RFC 8785 as the RFC does', () => {
    const sample = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)

    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  // RFC 8785, section 3.2.3.
  test('orders keys by UTF-16 code units, as the RFC shows', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew',
      '1': 'One',
      '\ud83d\ude00': 'Emoji',
      '\u0080': 'Control',
      '\u00f6': 'Latin',
    }

    expect(Object.values(JSON.parse(canonicalJson(sample)))).toHaveLength(7)
    expect([...canonicalJson(sample).matchAll(/:"(\w+)/g)].map((match) => match[1])).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ])
  })

  test('writes numbers as ECMAScript does, and minus zero as zero', () => {
    expect(canonicalJson([-0, 1.0, 1e21, 1e-7, 5e-324, 0.1 + 0.2])).toBe('[0,1,1e+21,1e-7,5e-324,0.30000000000000004]')
  })

  test('leaves out fields that are undefined', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s, which is no JSON', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError)
  })

  test('reads back as the same value, and writes the same text again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })
})
