import { describe, expect, test } from 'vitest'
import { parseArguments } from '../args/parse-arguments.js'
import { chooseModel } from './choose-model.js'

interface Sources {
  readonly option?: string
  readonly env?: Readonly<Record<string, string>>
  readonly configured?: string
}

function choose({ option, env = {}, configured }: Sources): ReturnType<typeof chooseModel> {
  const args = parseArguments(option === undefined ? ['run'] : ['run', '--model', option])
  return chooseModel({ args, io: { env }, ...(configured === undefined ? {} : { configured }) })
}

const endpoint = { OPENAI_API_KEY: 'sk-1234567890', OPENAI_MODEL: 'some-model' }

describe('which model', () => {
  test('the option wins over everything', () => {
    const env = { HARNESSWRIGHT_MODEL: 'b', ...endpoint }

    expect(choose({ option: 'a', env, configured: 'c' }).name).toBe('a')
  })

  test('then the variable, then the configuration, then the endpoint, then the simulated model', () => {
    expect(choose({ env: { HARNESSWRIGHT_MODEL: 'b', ...endpoint }, configured: 'c' }).name).toBe('b')
    expect(choose({ env: endpoint, configured: 'c' }).name).toBe('c')
    expect(choose({ env: endpoint }).name).toBe('openai:some-model')
    expect(choose({ env: { OPENAI_BASE_URL: 'http://x', OPENAI_MODEL: 'm' } }).name).toBe('openai:m')
    expect(choose({}).name).toBe('sim-mid')
    expect(choose({ env: { OPENAI_API_KEY: '', OPENAI_MODEL: 'm' } }).name).toBe('sim-mid')
  })

  test.each(['OPENAI_API_KEY', 'OPENAI_BASE_URL'])(
    '%s without a model is an error that says how to name one',
    (name) => {
      const wrong = expect.objectContaining({ code: 'E_CLI_MODEL', hint: expect.stringContaining('OPENAI_MODEL') })

      expect(() => choose({ env: { [name]: 'value-that-is-not-said' } })).toThrow(wrong)
      expect(() => choose({ env: { [name]: 'value-that-is-not-said' } })).not.toThrow('value-that-is-not-said')
    },
  )
})
