import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createEnvironment, type Tool } from '@harnesswright/core'
import { assembleModules } from '@harnesswright/core/testkit'
import { action, capability, memory, planning } from '@harnesswright/seed-react'
import { afterAll, describe, expect, test } from 'vitest'
import { createLlamaModel, findWeights } from '../src/index.js'
import { ask, said } from './support/ask.js'
import { realWeights } from './support/real-weights.js'

/** A model of a hundred million parameters on a busy computer reads some ten tokens a second. */
const PATIENCE_MS = 300_000

const add: Tool = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  readOnly: true,
  execute: ({ a, b }: { a: number; b: number }) => String(a + b),
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

describe.each(['smollm2-135m-instruct', 'gemma-3-270m'])('the weights %s', (id) => {
  const { file, missing } = realWeights(id)
  const title = (text: string): string => (missing === undefined ? text : `${text} (skipped: ${missing})`)
  const model =
    missing === undefined
      ? createLlamaModel({ file, id, threads: 1, contextTokens: 2_048, maxOutputTokens: 48 })
      : undefined
  afterAll(async () => await model?.close())

  test.skipIf(model === undefined)(
    title('are those of the table'),
    async () => {
      expect(await sha256Of(file)).toBe(findWeights(id).sha256)
    },
    PATIENCE_MS,
  )

  test.skipIf(model === undefined)(
    title('say words, JSON of a schema, and a call with the numbers of the question'),
    async () => {
      if (model === undefined) return
      const { response: words } = await ask(model, { messages: said('Say hello.'), maxTokens: 12, temperature: 0 })
      expect(words.content).toMatch(/[a-z]{3}/i)
      const schema = {
        type: 'object',
        properties: { city: { type: 'string', maxLength: 20 }, country: { type: 'string', maxLength: 20 } },
        required: ['city', 'country'],
      }
      const asked = { messages: said('Name one city and its country.'), schema, maxTokens: 60, temperature: 0 }
      const { response: json, warnings } = await ask(model, asked)
      expect(warnings).toEqual([])
      expect(JSON.parse(json.content)).toEqual({ city: expect.any(String), country: expect.any(String) })
      const question = {
        messages: said('What is 17 plus 25?'),
        tools: [add],
        choice: 'required',
        maxTokens: 60,
      } as const
      const { response: call } = await ask(model, { ...question, temperature: 0 })
      expect(call.toolCalls?.map((one) => [one.name, JSON.parse(one.arguments)])).toEqual([['add', { a: 17, b: 25 }]])
    },
    PATIENCE_MS,
  )

  test.skipIf(model === undefined)(
    title('run in the harness react to an end'),
    async () => {
      if (model === undefined) return
      const env = createEnvironment({ model, tools: [add], strict: true })
      const harness = await assembleModules(
        { memory, planning, capability, action, manifest: { limits: { steps: 2, ms: 120_000 } } },
        env,
      )
      const result = await harness.run('What is 17 plus 25? Call the tool add, then say the sum.', { seed: 1 }).result

      expect(result.status).toMatch(/^(answered|limit)$/)
      expect(result.spent.partial).toBe(false)
      expect(result.spent.tokens).toBeGreaterThan(100)
    },
    PATIENCE_MS,
  )
})
