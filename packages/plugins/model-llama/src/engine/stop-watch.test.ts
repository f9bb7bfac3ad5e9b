import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createStopWatch } from './stop-watch.js'

/** What is let through of a text that comes in pieces. */
function letThrough(pieces: readonly string[], stops: readonly string[]): { text: string; isStopped: boolean } {
  const watch = createStopWatch(stops)
  const text = pieces.map((piece) => watch.push(piece)).join('') + (watch.isStopped ? '' : watch.end())
  return { text, isStopped: watch.isStopped }
}

describe('stop texts', () => {
  test('end a text before the first of them, however it was cut', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(few, { maxLength: 8 }), fc.array(few, { maxLength: 3 }), (pieces, stops) => {
        const whole = pieces.join('')
        const { text, isStopped } = letThrough(pieces, stops)
        const found = stops.filter((stop) => stop !== '' && whole.includes(stop))
        expect(isStopped).toBe(found.length > 0)
        expect(whole.startsWith(text)).toBe(true)
        for (const stop of found) expect(text).not.toContain(stop)
        if (!isStopped) expect(text).toBe(whole)
        else expect(stops.some((stop) => stop !== '' && whole.startsWith(stop, text.length))).toBe(true)
      }),
    )
  })

  test('are none where there are none', () => {
    expect(letThrough(['a', 'b'], [])).toEqual({ text: 'ab', isStopped: false })
    expect(letThrough(['a', 'b'], [''])).toEqual({ text: 'ab', isStopped: false })
  })

  test('are held back until it is certain that they are none', () => {
    const watch = createStopWatch(['END'])

    expect(watch.push('aE')).toBe('a')
    expect(watch.push('N')).toBe('')
    expect(watch.push('d')).toBe('ENd')
    expect(watch.push('x END y')).toBe('x ')
    expect(watch.push('more')).toBe('')
    expect(watch.isStopped).toBe(true)
  })
})
