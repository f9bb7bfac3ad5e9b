import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions, PRESETS } from '../src/index.js'

describe('presets', () => {
  test('are marked as not checked, have no price, and have the address of their endpoint', () => {
    for (const [name, preset] of Object.entries(PRESETS)) {
      expect(preset).toMatchObject({ name, verified: 'none' })
      expect(preset).not.toHaveProperty('price')
      if (!['compatible', 'sim'].includes(name))
        expect(URL.canParse((preset as { baseUrl?: string }).baseUrl ?? '')).toBe(true)
    }
  })

  test('say what a model can do, and only sim that it is none', () => {
    const infoOf = (options: OpenAiModelOptions) => createOpenAiModel(options)
    expect(infoOf({ model: 'gpt' })).toMatchObject({
      id: 'gpt',
      supports: { jsonSchema: true, parallelToolCalls: true },
    })
    expect(infoOf({ model: 'd', preset: 'deepseek' }).supports.jsonSchema).toBe(false)
    expect(infoOf({ model: 'gpt' }).supports.tools).toBe(true)
    expect(infoOf({ model: 'd', preset: 'vllm', tools: false }).supports).toMatchObject({
      tools: false,
      parallelToolCalls: false,
    })
    expect(infoOf({ model: 'gpt' })).not.toHaveProperty('price')
    expect(infoOf({ model: 'gpt' })).not.toHaveProperty('simulated')
    expect(infoOf({ model: 's', preset: 'sim', baseUrl: 'http://127.0.0.1:1/v1' }).simulated).toBe(true)
  })
})

test.each<[string, object, RegExp]>([
  ['no model', {}, /"model"/],
  ['a preset that does not exist', { model: 'm', preset: 'opnai' }, /"opnai"/],
  ['an address that is none', { model: 'm', baseUrl: 'localhost:8000' }, /"baseUrl"/],
  ['no address', { model: 'm', preset: 'sim' }, /no address/],
  ['a wait of nothing', { model: 'm', idleMs: 0 }, /"idleMs" is 0/],
  ['a wait that is no number', { model: 'm', firstByteMs: Number.NaN }, /"firstByteMs"/],
  ['a header in two lines', { model: 'm', headers: { 'x-team': 'blue\nred' } }, /"x-team"/],
  ['a header whose name is none', { model: 'm', headers: { 'x team': 'blue' } }, /"x team"/],
  ['a key that cannot be sent', { model: 'm', apiKey: 'sk-ключ' }, /"apiKey"/],
  ['a limit below 0', { model: 'm', limits: { requestsPerMinute: -1 } }, /requestsPerMinute/],
])('%s is refused, with what was expected', (_, options, message) => {
  const make = (): unknown => createOpenAiModel(options as OpenAiModelOptions)
  expect(make).toThrow(expect.objectContaining({ code: 'E_OPENAI_OPTIONS', message: expect.stringMatching(message) }))
})
