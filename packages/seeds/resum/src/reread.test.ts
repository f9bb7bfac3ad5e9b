import type { ToolContext } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReread, type Stretch } from './reread.js'

const STRETCHES: readonly Stretch[] = [
  { first: 1, last: 4, id: 'a1' },
  { first: 5, last: 5, id: 'a2' },
]

function reread(args: { id: string; offset?: number }, text = 'the steps', stretches = STRETCHES): string {
  const ctx = { get: (id: string) => (id === 'a1' ? text : undefined) } as unknown as ToolContext
  return String(createReread(() => stretches).execute(args, ctx))
}

describe('reread', () => {
  test('gives steps as they were', () => {
    expect(reread({ id: 'a1' })).toBe('the steps')
  })

  test('gives a long stretch in pieces, and says where to go on', () => {
    const text = 'x'.repeat(8_000) + 'y'.repeat(100)

    expect(reread({ id: 'a1' }, text)).toBe(
      `${'x'.repeat(8_000)}\n[characters 0 to 8000 of 8100; go on at offset 8000]`,
    )
    expect(reread({ id: 'a1', offset: 8_000 }, text)).toBe('y'.repeat(100))
  })

  test('refuses an id that is none, with those that there are', () => {
    expect(() => reread({ id: 'a7' })).toThrow(
      'there are no steps "a7"; those that were summarised are a1 (steps 1 to 4), a2 (step 5)',
    )
    expect(() => reread({ id: 'a1' }, '', [])).toThrow('nothing was summarised yet')
  })

  test('refuses an offset behind the end', () => {
    expect(() => reread({ id: 'a1', offset: 9 })).toThrow('there are 9 characters, and none at 9')
  })
})

test('the pieces of any text are the text, and cut no character in two', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 800 }),
      (part, times) => {
        const text = part.repeat(times)
        let read = ''
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const piece: string = reread({ id: 'a1', offset }, text)
          const next: RegExpExecArray | null = /\n\[characters \d+ to (\d+) of \d+; go on at offset \d+\]$/.exec(piece)
          read += next === null ? piece : piece.slice(0, next.index)
          expect(piece.slice(0, 8_001)).not.toMatch(/^[\udc00-\udfff]/)
          offset = next === null ? undefined : Number(next[1])
        }
        expect(read).toBe(text)
      },
    ),
    { numRuns: 40 },
  )
})
