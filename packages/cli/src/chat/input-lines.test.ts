import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InputLines } from './input-lines.js'

async function* chunksOf(chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* chunks
}

async function linesOf(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const input = new InputLines(chunksOf(chunks))
  const lines: string[] = []
  for (let line = await input.next(); line !== undefined; line = await input.next()) lines.push(line)
  return lines
}

test('lines are those of the text, however it comes in pieces, with characters of several bytes', async () => {
  const line = fc.stringMatching(/^[a-zé€😀]{1,8}$/u)
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\n\n \n'),
      cuts,
      async (lines, end, at) => {
        const bytes = new TextEncoder().encode(lines.join(end))
        const places = [0, ...at.sort((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place))

        expect(await linesOf(chunks)).toEqual(lines)
      },
    ),
  )
})

test('the last line needs no end', async () => {
  expect(await linesOf(['one\ntw', 'o'])).toEqual(['one', 'two'])
  expect(await linesOf([])).toEqual([])
})

test('nothing is read before it is asked for', async () => {
  let read = 0
  const input = new InputLines(
    (async function* () {
      for (const text of ['one\n', 'two\n']) {
        read++
        yield text
      }
    })(),
  )

  expect([await input.next(), read]).toEqual(['one', 1])
})

test('a line without an end is refused before it fills the memory', async () => {
  await expect(linesOf(Array.from({ length: 20 }, () => 'x'.repeat(1024 * 1024)))).rejects.toMatchObject({
    code: 'E_CLI_TASK',
  })
})
