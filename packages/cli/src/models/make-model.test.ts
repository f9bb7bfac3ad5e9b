import { systemClock } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import type { Config } from '../config/config.js'
import { secretsOf } from '../run/secrets.js'
import { ENDPOINTS, KEY_VARIABLES } from './endpoints.js'
import { makeModel } from './make-model.js'

const KEY = 'sk-of-the-user-1'

function make(name: string, env: Readonly<Record<string, string>> = {}, models: Config['models'] = {}) {
  const { now, sleep } = systemClock
  return makeModel({ name, why: '', where: '--model' }, { io: { env, now, sleep }, models })
}

/** What a name without a model says, for what it says of a variable. */
const refusal = (hint: RegExp) =>
  expect.objectContaining({ code: 'E_CLI_MODEL', hint: expect.stringMatching(hint) }) as unknown as Error // a matcher

const cloud = ENDPOINTS.filter(([, { keyVariable }]) => keyVariable !== undefined)
const local = ENDPOINTS.filter(([, { keyVariable, baseUrl }]) => keyVariable === undefined && baseUrl !== undefined)

describe('a model of an endpoint', () => {
  test.each(cloud)('of %s is there with the key of its variable, and names the variable without', (name, preset) => {
    const { keyVariable = '', baseUrl } = preset

    expect(make(`${name}:m`, { [keyVariable]: KEY })).toMatchObject({
      model: { id: `${name}:m` },
      address: new URL(baseUrl ?? '').href,
    })
    expect(() => make(`${name}:m`)).toThrow(refusal(new RegExp(keyVariable)))
    expect(() => make(`${name}:m`, { [keyVariable]: ' ' })).toThrow(refusal(new RegExp(keyVariable)))
  })

  test.each(local)('of %s is there without a key', (name, { baseUrl }) => {
    expect(make(`${name}:qwen3:8b`)).toMatchObject({ model: { id: `${name}:qwen3:8b` }, address: baseUrl })
  })

  test('that is named alone is one of openai', () => {
    expect(make('some-model', { OPENAI_API_KEY: KEY })).toEqual(
      expect.objectContaining({ address: 'https://api.openai.com/v1' }),
    )
    expect(make('some-model', { OPENAI_API_KEY: KEY })).toMatchObject({
      model: { id: 'openai:some-model' },
      note: 'taken as a model of the endpoint "openai"',
    })
    expect(make('openai:some-model', { OPENAI_API_KEY: KEY })).not.toHaveProperty('note')
    expect(() => make('some-model')).toThrow(/"some-model" names no endpoint and is taken as a model of "openai"/)
  })

  test('takes its address from OPENAI_BASE_URL for openai and where there is none, and needs no key there', () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }

    for (const name of ['openai', 'compatible', 'sim']) expect(make(`${name}:m`, env).address).toBe(env.OPENAI_BASE_URL)
    expect(make('ollama:m', env).address).toBe('http://127.0.0.1:11434/v1')
    expect(() => make('deepseek:m', { ...env, OPENAI_API_KEY: KEY })).toThrow(refusal(/DEEPSEEK_API_KEY/))
    expect(() => make('sim:sim-mid')).toThrow(refusal(/OPENAI_BASE_URL/))
  })

  test('never shows a password of its address', () => {
    expect(make('openai:m', { OPENAI_BASE_URL: 'https://me:secret-1@gate.test/v1' }).address).toBe(
      'https://gate.test/v1',
    )
    expect(secretsOf({ OPENAI_BASE_URL: 'https://me:secret%2d1@gate.test/v1' })).toEqual(['secret%2d1', 'secret-1'])
  })

  test.each([
    ['no address', 'not-an-address'],
    ['another protocol', 'file:///v1'],
  ])('refuses %s in OPENAI_BASE_URL', (_what, OPENAI_BASE_URL) => {
    expect(() => make('openai:m', { OPENAI_BASE_URL })).toThrow(refusal(/^Set OPENAI_BASE_URL/))
  })

  test('refuses a key that cannot be sent, without saying it', () => {
    const env = { OPENAI_API_KEY: 'sk-…-of-the-user' }

    expect(() => make('openai:m', env)).toThrow(refusal(/^Set OPENAI_API_KEY/))
    expect(() => make('openai:m', env)).not.toThrow(/of-the-user/)
    expect(make('openai:m', { OPENAI_API_KEY: `${KEY}\r\n` }).model.id).toBe('openai:m')
  })

  test.each([
    ['ollama', /--model ollama:<model>/],
    ['ollama:', /--model ollama:<model>/],
    ['olama:m', /openai:olama:m/],
    ['replay:file', /harnesswright models/],
    ['constructor:m', /openai:constructor:m/],
    ['sim-midd', /--model sim-mid/],
  ])('%s is refused, and what to write is told', (name, hint) => {
    expect(() => make(name, { OPENAI_API_KEY: KEY })).toThrow(refusal(hint))
  })
})

test('window and price of a simulated model are known behind a port too', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const { contextWindow, maxOutputTokens, price } = make('sim-mid').model

  expect(make('sim:sim-mid', env).model).toMatchObject({
    contextWindow,
    maxOutputTokens,
    price,
    simulated: true,
  })
  expect(make('openai:sim-mid', env).model).not.toHaveProperty('price')
})

test('the key variables of all endpoints hold secrets', () => {
  const env = Object.fromEntries(KEY_VARIABLES.map((name) => [name, `${name}-of-the-user`]))

  expect(KEY_VARIABLES.length).toBeGreaterThan(1)
  expect(secretsOf(env, KEY_VARIABLES)).toEqual(Object.values(env))
  expect(secretsOf({ OF_ANOTHER_NAME: ' a-key-of-it \n' }, ['OF_ANOTHER_NAME'])).toEqual(['a-key-of-it'])
})

describe('what the configuration says of a model', () => {
  const PRICE = { input: 1, cached: 0.1, output: 2, source: 'a page', date: '2026-01-31' }

  test('is known of that model of that endpoint alone', () => {
    const models = { 'ollama:m': { contextWindow: 8_000, maxOutputTokens: 500, price: PRICE } }

    expect(make('ollama:m', {}, models).model).toMatchObject({
      contextWindow: 8_000,
      maxOutputTokens: 500,
      price: PRICE,
    })
    expect(make('vllm:m', {}, models).model).not.toHaveProperty('price')
    expect(make('ollama:constructor', {}, models).model).not.toHaveProperty('contextWindow')
  })

  test('scores texts where its endpoint can', () => {
    expect(make('sglang:m').model).toHaveProperty('scoreText')
    expect(make('ollama:m').model).not.toHaveProperty('scoreText')
  })
})
