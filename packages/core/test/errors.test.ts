import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createEnvironment, ERRORS, HarnessError, isHarnessError, type Message, type Tool } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aHarness, aTool, runOnce } from './one-run.js'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('a harness error', () => {
  test('has message and hint of the table, unless it says better, and where the docs speak of it', () => {
    const [message, hint] = ERRORS.E_RUN_LIMIT

    expect(new HarnessError('E_RUN_LIMIT')).toMatchObject({
      message,
      hint,
      docs: 'docs/guide/errors-run.md#e_run_limit',
      details: {},
    })
    expect(new HarnessError('E_RUN_LIMIT', { message: 'm', hint: 'h' })).toMatchObject({ message: 'm', hint: 'h' })
  })

  test('keeps the cause, and is an Error with a stack', () => {
    const cause = new Error('disk')
    const error = new HarnessError('E_RUN_MODULE', { cause })

    expect(error).toBeInstanceOf(Error)
    expect(error.cause).toBe(cause)
    expect(error.stack).toContain('errors.test')
    expect('cause' in new HarnessError('E_RUN_MODULE')).toBe(false)
  })

  test('of a plugin has a code and words of its own', () => {
    const error = new HarnessError('E_SIM_NOT_A_COMPOSER', { message: 'm', hint: 'h' })

    expect(error).toMatchObject({
      code: 'E_SIM_NOT_A_COMPOSER',
      message: 'm',
      hint: 'h',
      docs: 'docs/guide/errors-sim.md#e_sim_not_a_composer',
    })
    expect(new HarnessError('constructor')).toMatchObject({ message: 'constructor', hint: '' })
  })

  test.each([undefined, null, 'E_RUN_LIMIT', new Error('x'), { code: 'E_RUN_LIMIT' }])('is not %o', (value) => {
    expect(isHarnessError(value)).toBe(false)
  })
})

test('every code of the table has words, and one family that says what kind of fault it is', () => {
  for (const [code, [message, hint]] of Object.entries(ERRORS)) {
    expect(code).toMatch(/^E_(MANIFEST|PROTOCOL|RUN|ENV|MODEL|TOOL)_[A-Z_]+$/)
    expect(message.length).toBeGreaterThan(10)
    expect(hint.length).toBeGreaterThan(5)
  }
})

test('every code that core raises is in the table, and provoked by a test of core', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^(src|test)\/.*\.ts$/.test(file) && !file.includes('errors/table'),
  )
  const codesIn = (wanted: (file: string) => boolean): Set<string> =>
    new Set(
      files.filter(wanted).flatMap((file) => {
        const code = readFileSync(`${root}${file}`, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
        return code.match(/\bE_[A-Z]+_[A-Z_]+\b/g) ?? []
      }),
    )
  // What is raised over manifests is tested where they are read: in plugin-manifest.
  const raised = codesIn((file) => !/\.test(-d)?\.ts$|\/manifest\//.test(file) && file.startsWith('src/'))
  const tested = codesIn((file) => file.endsWith('.test.ts') && !file.endsWith('/errors.test.ts'))
  const here = ['E_RUN_TASK', 'E_RUN_CODEGEN', 'E_ENV_INVALID', 'E_TOOL_NOT_OFFERED']

  expect(raised.size).toBeGreaterThan(25)
  expect([...raised].filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([])
  expect([...raised].filter((code) => !tested.has(code) && !here.includes(code))).toEqual([])
})

describe('E_RUN_TASK refuses at once', () => {
  const assistant: Message = { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'x', arguments: '{}' }] }

  test.each<[string, unknown, RegExp]>([
    ['no task', undefined, /no instruction/],
    ['an empty instruction', '  ', /no instruction/],
    ['no instruction', {}, /no instruction/],
    ['an instruction that is no text', { instruction: 5 }, /no instruction/],
    ['inputs that are no JSON', { instruction: 'x', inputs: { f: () => 1 } }, /not JSON: a function at "\/inputs\/f"/],
    ['messages that are no list', { instruction: 'x', messages: 'hello' }, /no list of messages/],
    ['messages that are none', { instruction: 'x', messages: [null] }, /no list of messages/],
    ['a call without its result', { instruction: 'x', messages: [assistant] }, /"a" has no result/],
    ['a result without its call', { instruction: 'x', messages: [{ role: 'tool', callId: 'b', content: '' }] }, /"b"/],
  ])('%s', async (_, task, message) => {
    const { harness } = await aHarness({})

    expect(() => harness.run(task as never)).toThrow(
      expect.objectContaining({ code: 'E_RUN_TASK', message: expect.stringMatching(message) }),
    )
  })
})

describe('E_ENV_INVALID refuses', () => {
  const model = createScriptedModel(['x'])

  test.each<[string, object, RegExp]>([
    ['no model', { model: undefined }, /needs a model/],
    ['an empty list of models', { model: [] }, /needs a model/],
    ['a model that cannot generate', { model: { id: 'x' } }, /needs a model/],
    ['two models of one id', { model: [model, model] }, /one id/],
    ['two tools of one name', { model, tools: [aTool('look'), aTool('look')] }, /named "look"/],
    ['a tool without a name', { model, tools: [aTool('')] }, /tool/],
    ['a tool that cannot be called', { model, tools: [{ ...aTool('look'), execute: 'x' }] }, /tool "look"/],
    ['a tool without parameters', { model, tools: [{ ...aTool('look'), parameters: undefined }] }, /tool "look"/],
  ])('%s', (_, options, message) => {
    expect(() => createEnvironment(options as Parameters<typeof createEnvironment>[0])).toThrow(
      expect.objectContaining({ code: 'E_ENV_INVALID', message: expect.stringMatching(message) }),
    )
  })
})

test('E_TOOL_NOT_OFFERED tells the model which tools are on offer', async () => {
  const { defineModule } = await import('../src/index.js')
  const capability = defineModule({
    slot: 'capability',
    summary: 'All but the last.',
    select: ({ capabilities: { tools, skills } }) => ({ tools: tools.slice(0, -1) as readonly Tool[], skills }),
  })
  const { result } = await runOnce({
    modules: { capability },
    tools: [aTool('look'), aTool('erase')],
    script: [{ call: 'erase' }, 'done'],
  })

  expect(result.steps[0]?.observations[0]).toMatchObject({
    content: 'error: the tool "erase" is not on offer now; nearest: look; on offer: look',
    error: { code: 'E_TOOL_NOT_OFFERED' },
  })
})

test('E_RUN_CODEGEN says in one sentence why a runtime without code generation will not do', () => {
  const script = `
    import { createHooks } from ${JSON.stringify(new URL('../src/hooks/hooks.ts', import.meta.url).href)}
    try { createHooks(() => false) } catch (error) { console.log(JSON.stringify({ code: error.code, hint: error.hint, cause: error.cause?.name })) }
  `
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      '--conditions=@harnesswright/source',
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' }, timeout: 20_000 },
  )

  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ code: 'E_RUN_CODEGEN', hint: ERRORS.E_RUN_CODEGEN[1], cause: 'EvalError' })
})
