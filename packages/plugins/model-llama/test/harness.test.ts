import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Capabilities,
  createEnvironment,
  defineModule,
  type Environment,
  type HarnessEvent,
  type Module,
  type Tool,
} from '@harnesswright/core'
import { assembleModules } from '@harnesswright/core/testkit'
import { action, memory, planning } from '@harnesswright/seed-react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLlamaModel, type LlamaModel } from '../src/index.js'
import { ask, lookUp } from './support/ask.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { makeGguf } from './support/make-gguf.js'

/** A capability that decides at which steps a call is demanded: noise would make none by itself. */
function demanding(isDemanded: (step: number) => boolean): Module {
  return defineModule({
    slot: 'capability',
    summary: 'Demands a call at some steps, and allows none at the others.',
    select: (ctx): Capabilities => ({ ...ctx.capabilities, choice: isDemanded(ctx.step) ? 'required' : 'none' }),
  })
}

/** A tool whose arguments fit whatever noise fills them. */
const look: Tool = {
  ...lookUp,
  parameters: { type: 'object', properties: { word: { enum: ['north', 'south'] } }, required: ['word'] },
  execute: ({ word }) => `nothing is known of ${word}`,
}

const harness = (env: Environment, capability: Module, limits = {}) =>
  assembleModules({ memory, planning, capability, action, options: ONE_BY_ONE, manifest: { limits } }, env)

const ONE_BY_ONE = new Map([[action, { parallel: false }]])

describe.skipIf(noLlama !== undefined)(
  withLlama('the harness react over a model in this process'),
  { timeout: LOADING_MS },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'model-llama-'))
    let model: LlamaModel

    beforeAll(async () => {
      const file = join(folder, 'tiny.gguf')
      makeGguf(file)
      model = createLlamaModel({
        file,
        threads: 1,
        contextTokens: 2_048,
        maxOutputTokens: 100,
        sampling: { temperature: 1 },
      })
      await ask(model, { maxTokens: 1 })
    }, LOADING_MS)
    afterAll(async () => {
      await model?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('calls its tool, reads the result and answers, and its tokens are known and cost nothing', async () => {
      const words: string[] = []
      const tool: Tool = { ...look, execute: ({ word }) => `nothing is known, this is look-up ${words.push(word)}` }
      const env = createEnvironment({ model, tools: [tool], strict: true })
      const run = (
        await harness(
          env,
          demanding((step) => step < 3),
        )
      ).run('Look up two words.', { seed: 7 })
      const events: HarnessEvent[] = []
      for await (const event of run) events.push(event)
      const result = await run.result

      expect(result).toMatchObject({ status: 'answered', spent: { modelCalls: 3, partial: false, usd: 0 } })
      expect(words).toHaveLength(2)
      const [first, second, third] = result.steps.map(({ modelCalls }) => modelCalls[0]?.usage)
      expect(first).toMatchObject({ source: 'known', cachedTokens: expect.any(Number) })
      expect(second?.cachedTokens).toBeGreaterThan((first?.inputTokens ?? 0) / 2)
      expect(third?.inputTokens).toBeGreaterThan(second?.inputTokens ?? 0)
      const results = result.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
      expect(results).toEqual(words.map((_, index) => `nothing is known, this is look-up ${index + 1}`))
      expect(events.filter(({ type }) => type === 'model-delta').length).toBeGreaterThan(5)
      expect(events.filter(({ type }) => type === 'warning')).toEqual([])
    }, 60_000)

    test('says the same again for the same seed', async () => {
      const env = createEnvironment({ model, tools: [look], strict: true })
      const once = async () =>
        await (
          await harness(
            env,
            demanding((step) => step < 2),
          )
        ).run('Look.', { seed: 9 }).result

      expect((await once()).answer).toEqual((await once()).answer)
    }, 60_000)

    test('answers in the form that the task asks for', async () => {
      const env = createEnvironment({ model, tools: [look], strict: true })
      const output = {
        type: 'object',
        properties: { direction: { enum: ['north', 'south'] }, steps: { type: 'integer', minimum: 0, maximum: 9 } },
        required: ['direction', 'steps'],
      }
      const run = (
        await harness(
          env,
          demanding((step) => step < 2),
        )
      ).run({ instruction: 'Where to?', output })
      const result = await run.result

      expect(result.status).toBe('answered')
      expect(result.answer).toEqual({ direction: expect.stringMatching(/^(north|south)$/), steps: expect.any(Number) })
    }, 60_000)

    test('goes on when its window is full: the oldest results give way', async () => {
      let count = 0
      const tool: Tool = { ...look, execute: () => `${++count}. ${'The word is not known here. '.repeat(14)}` }
      const env = createEnvironment({ model, tools: [tool], strict: true })
      const result = await (
        await harness(
          env,
          demanding(() => true),
          { steps: 5 },
        )
      ).run('Look.').result

      expect(result).toMatchObject({ status: 'limit', reason: 'steps' })
      expect(result.steps).toHaveLength(6) // the last one is the closing answer
      for (const { modelCalls } of result.steps)
        for (const call of modelCalls) expect(call?.usage.inputTokens).toBeLessThan(model.contextWindow)
    }, 120_000)

    test('ends as aborted at once, and leaves the model free for the next run', async () => {
      const env = createEnvironment({ model, tools: [look], strict: true })
      const react = await harness(
        env,
        demanding(() => false),
      )
      const run = react.run('Speak.', { seed: 3 })
      let abortedAt = 0
      for await (const event of run) {
        if (event.type !== 'model-delta' || abortedAt > 0) continue
        abortedAt = performance.now()
        run.abort('enough')
      }

      expect((await run.result).status).toBe('aborted')
      expect(performance.now() - abortedAt).toBeLessThan(1_000)
      expect((await react.run('Speak.', { seed: 3 }).result).status).toBe('answered')
    }, 60_000)
  },
)
