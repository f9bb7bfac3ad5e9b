import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createDialect } from '@harnesswright/plugin-manifest'
import { createLlamaModel } from '@harnesswright/plugin-model-llama'
import { describe, expect, test } from 'vitest'
import { readReply } from '../../packages/plugins/meta-agent/src/model/reply/read-reply.js'
import { REPLY_LEVELS, replySchema } from '../../packages/plugins/meta-agent/src/model/reply/reply-schema.js'
import { noLlama, withLlama } from '../../packages/plugins/model-llama/test/support/llama-here.js'
import { makeGguf } from '../../packages/plugins/model-llama/test/support/make-gguf.js'
import { realWeights } from '../../packages/plugins/model-llama/test/support/real-weights.js'
import { largeCatalog } from '../local-models/src/large-catalog.js'
import { propose } from '../local-models/src/proposals.js'

const catalog = largeCatalog()
const dialect = createDialect(catalog, { dialect: 'gbnf', inside: REPLY_LEVELS })

test('the catalog has 40 modules and more, real and generated, and all of them are offered', () => {
  const uses = dialect.modules.map(({ use }) => use)

  expect(uses.length).toBeGreaterThanOrEqual(40)
  expect(uses.filter((use) => use.startsWith('@harnesswright/')).length).toBeGreaterThanOrEqual(10)
  expect(uses.toSorted()).toEqual(
    catalog
      .modules()
      .map(({ use }) => use)
      .toSorted(),
  )
})

describe.skipIf(noLlama !== undefined)(withLlama('proposals bound by a grammar'), { timeout: 300_000 }, () => {
  test('of a model that says noise are all manifests which assemble, and differ by their seed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proposals-'))
    const file = join(folder, 'tiny.gguf')
    makeGguf(file)
    const model = createLlamaModel({ file, threads: 1, contextTokens: 4_096, maxOutputTokens: 2_048 })
    const env = createEnvironment({ model: createScriptedModel(['done']) })
    const ids = new Set<string>()
    try {
      for (let seed = 1; seed <= 5; seed++) {
        const { content = '', finish } = await model.generate(
          {
            purpose: 'compose',
            messages: [{ role: 'user', content: 'Compose a harness.' }],
            schema: { title: 'composition', ...replySchema(dialect, 'gbnf') },
            maxTokens: 2_048,
            temperature: 1,
            seed,
          },
          { signal: new AbortController().signal },
        )
        expect(finish).toBe('stop')
        const { manifest, fault } = { manifest: undefined, fault: undefined, ...readReply(content, dialect, 'tiny') }
        expect(fault).toBeUndefined()
        if (manifest === undefined) continue
        ids.add((await assemble(manifest, { catalog, env, origin: 'model' })).manifestId)
      }
    } finally {
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    }
    expect(ids.size).toBe(5)
  })

  const { file, missing } = realWeights('smollm2-135m-instruct')
  test.skipIf(missing !== undefined)(
    `of real weights are manifests which assemble, within 400 tokens${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    async () => {
      const model = createLlamaModel({ file, id: 'smollm2-135m-instruct', threads: 1, contextTokens: 8_192 })
      try {
        for (const seed of [1, 2]) {
          const one = await propose(model, { catalog, seed })
          expect(one).toMatchObject({ isRight: true, isWhole: true })
          expect(one.outputTokens).toBeLessThanOrEqual(400)
        }
      } finally {
        await model.close()
      }
    },
  )
})
