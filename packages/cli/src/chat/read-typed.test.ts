import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readTyped, type TypedOptions } from './read-typed.js'

/** A prompt on a terminal of streams, and what is shown on it. */
function prompt(options: TypedOptions = {}, isDumb = false) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk) => {
    shown += String(chunk)
  })
  const typed = readTyped({ input, output, isDumb }, '> ', options)
  return { typed, type: (text: string) => input.write(text), end: () => input.end(), shown: () => shown, input }
}

describe('what is typed at a prompt', () => {
  test('is the line up to Enter, as it was edited', async () => {
    const { typed, type, shown } = prompt()
    type('hello worlds\u007f\r')

    expect(await typed).toEqual({ text: 'hello world' })
    expect(shown()).toContain('> ')
    expect(shown()).toContain('\u001b[?2004h')
  })

  test('is all lines of a paste that ends in one, also where it comes in pieces', async () => {
    const { typed, type } = prompt()
    for (const piece of ['\u001b[200~first\r', 'second\r', 'third\r\u001b[201~']) type(piece)

    expect(await typed).toEqual({ text: 'first\nsecond\nthird' })
  })

  test('is a paste with what is typed after it, where it ends within a line', async () => {
    const { typed, type } = prompt()
    type('\u001b[200~first\rsec\u001b[201~')
    type('ond\r')

    expect(await typed).toEqual({ text: 'first\nsecond' })
  })

  test('is told no escape sequence on a terminal that knows none', async () => {
    const { typed, type, shown } = prompt({}, true)
    type('hello\r')

    expect(await typed).toEqual({ text: 'hello' })
    expect(shown()).not.toContain('2004')
  })

  test('may be brought back with the arrow keys, the newest first', async () => {
    const { typed, type } = prompt({ history: ['old', 'new'] })
    type('\u001b[A\u001b[A\r')

    expect(await typed).toEqual({ text: 'old' })
  })
})

describe('a prompt is ended', () => {
  test('by Ctrl-D on an empty line, and when the terminal is gone', async () => {
    const byKey = prompt()
    byKey.type('\u0004')
    const gone = prompt()
    gone.end()

    expect(await byKey.typed).toEqual({ ended: 'end' })
    expect(await gone.typed).toEqual({ ended: 'end' })
  })

  test('by Ctrl-C on an empty line; before, it takes back what is typed', async () => {
    const empty = prompt()
    empty.type('\u0003')
    const full = prompt()
    full.type('not this')
    full.type('\u0003')
    full.type('this\r')

    expect(await empty.typed).toEqual({ ended: 'interrupt' })
    expect(await full.typed).toEqual({ text: 'this' })
  })

  test('by a signal, and then nothing listens to the terminal any more', async () => {
    const stop = new AbortController()
    const { typed, input, shown } = prompt({ signal: stop.signal })
    stop.abort()

    expect(await typed).toEqual({ ended: 'interrupt' })
    expect(input.listenerCount('keypress')).toBe(0)
    expect(shown().endsWith('\u001b[?2004l')).toBe(true)
  })
})
