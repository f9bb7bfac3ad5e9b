import fc from 'fast-check'
import type { LlamaGrammar } from 'node-llama-cpp'
import { describe, expect, test } from 'vitest'
import { loadLlama } from '../src/engine/binding.js'
import { partOfSchema } from '../src/grammar/from-schema.js'
import { createRuleBook, type Grammar } from '../src/grammar/grammar.js'
import { writeGbnf } from '../src/grammar/write-gbnf.js'
import { callText } from '../src/reply/call-form.js'
import { replyGrammar } from '../src/reply/reply-grammar.js'
import { lookUp } from './support/ask.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { isTextOf, sampleText } from './support/sample-grammar.js'
import { fitting } from './support/schemas.js'

/** What llama.cpp makes of a grammar. Its check of a whole text is not part of the public types. */
async function llamaTakes(grammar: Grammar): Promise<(text: string) => boolean> {
  const { llama } = await loadLlama()
  const compiled = (await llama.createGrammar({ grammar: writeGbnf(grammar) })) as LlamaGrammar & {
    _testText(text: string): boolean
  }
  return (text) => compiled._testText(text)
}

const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

describe.skipIf(noLlama !== undefined)(withLlama('llama.cpp reads a grammar as it is meant'), () => {
  test(
    'of any schema: it takes the texts that the grammar has, and no others',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fitting,
          draws,
          fc.nat(),
          fc.constantFrom('', 'x', '"', ' ', '}', '0'),
          async ({ schema }, stream, at, put) => {
            const book = createRuleBook()
            const grammar = { root: partOfSchema(schema, book), rules: book.rules }
            const takes = await llamaTakes(grammar)
            const text = sampleText(grammar, () => stream.next().value as number)
            const place = at % (text.length + 1)
            const changed = (text.slice(0, place) + put + text.slice(place + 1)) as string & { toWellFormed(): string }
            expect(takes(text), text).toBe(true)
            expect(takes(changed.toWellFormed()), changed).toBe(isTextOf(grammar, changed.toWellFormed()))
          },
        ),
        { numRuns: 60 },
      )
    },
    LOADING_MS,
  )

  test('of a reply with tools: prose, calls, and the marker only before a call', async () => {
    const takes = await llamaTakes(replyGrammar({ tools: [lookUp], parallelToolCalls: true }) as Grammar)
    const call = callText(lookUp.name, '{"word": "north"}')

    for (const text of ['Hello <b>', call, `I look.\n${call}`, `${call}\n${call}`])
      expect([text, takes(text)]).toEqual([text, true])
    for (const text of ['', `${call}!`, 'x <tool_call>', call.replace('north', 'north\n')])
      expect([text, takes(text)]).toEqual([text, false])
  })
})
