import { createDialect } from '@harnesswright/plugin-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valuesOf } from '../../manifest/test/schema-values.js'
import { aComposer, composedBy, seeds } from './composing.js'

test.each(['openai', 'gbnf'] as const)(
  'whatever a reply in the dialect %s chooses among the real seeds is a harness, at the first try',
  { timeout: 30_000 },
  async (dialect) => {
    const { schema } = createDialect(seeds, { dialect, inside: 1 })
    await fc.assert(
      fc.asyncProperty(valuesOf(schema), async (manifest) => {
        const composer = aComposer([JSON.stringify({ analysis: 'a', predicted: {}, manifest })])
        const { route, attempts } = await composedBy(composer, { asking: { candidates: 1, dialect }, smoke: false })

        expect(attempts).toMatchObject([{ problems: [] }])
        expect(route).toBe('model')
      }),
      { numRuns: 60 },
    )
  },
)
