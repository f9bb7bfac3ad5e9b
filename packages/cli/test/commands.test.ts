import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findWeights } from '@harnesswright/plugin-model-llama'
import { PRESETS } from '@harnesswright/plugin-model-openai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { manifestOf, wasImported, writeFiles, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

describe('harnesswright', () => {
  test('without a command says how it is used, on standard error', async () => {
    expect(await box.run([])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^usage: /) })
  })

  test('--help and --version answer on standard output', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }

    expect(await box.run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage: /), stderr: '' })
    expect(await box.run(['train', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('plugin-training'),
    })
    expect(await box.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('a command of a later version is refused with the package that brings it', async () => {
    const { code, stdout, stderr } = await box.run(['train', 'collect'])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error\[E_CLI_LATER\] .*comes with @harnesswright\/plugin-training\.\nwhere: /)
  })

  test.each([
    [['rnu', '--json'], 2],
    [['run', 'x', '--json', '--model', 'openai:some'], 3],
    [['validate', 'none.json', '--json'], 3],
  ] as const)('%j prints one object on standard output though it fails', async (argv, code) => {
    const said = await box.run(argv)

    expect(said.code).toBe(code)
    expect(JSON.parse(said.stdout)).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^E_/) } })
    expect(said.stderr).toMatch(/^error\[E_/m)
  })

  test('a bug of its own ends with 70 and is the only error that shows a stack without --verbose', async () => {
    const broken = await box.run(['doctor'], {
      fetch: () => {
        throw new TypeError('a bug')
      },
    })
    const refused = await box.run(['rnu'])

    expect(broken.code).toBe(70)
    expect(broken.stderr).toMatch(/^error\[E_CLI_INTERNAL\] a bug\n[\s\S]*^ {4}at /m)
    expect(refused.stderr).not.toMatch(/^ {4}at /m)
    expect((await box.run(['rnu', '--verbose'])).stderr).toMatch(/^ {4}at /m)
  })
})

describe('models', () => {
  test.each([
    ['openai:some-model', 'fix: Set OPENAI_API_KEY'],
    ['deepseek:some-model', 'fix: Set DEEPSEEK_API_KEY'],
    ['some-model', 'fix: Set OPENAI_API_KEY'],
    ['olama:some-model', 'nearest: ollama'],
    ['sim-midd', 'Use --model sim-mid'],
  ])('%s cannot be used, and what brings it or is nearest is told', async (model, told) => {
    const { code, stderr } = await box.run(['run', 'a task', '--model', model])

    expect(code).toBe(3)
    expect(stderr).toMatch(new RegExp(told))
  })

  test('a key without a model name is told before anything is done, and the key is not', async () => {
    const { code, stdout, stderr } = await box.run(['run', 'a task'], { env: { OPENAI_API_KEY: 'sk-of-the-user-1' } })

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('OPENAI_MODEL')
    expect(stderr).not.toContain('sk-of-the-user-1')
  })

  test('are listed with window and price, each said to be simulated', async () => {
    const { stdout } = await box.run(['models'])
    const { stdout: json } = await box.run(['models', '--json'])

    expect(stdout).toMatch(/^sim-mid +32,000 +[\d.]+ \/ [\d.]+ \/ [\d.]+ +simulated$/m)
    expect((JSON.parse(json) as { models: { simulated: boolean }[] }).models.every(({ simulated }) => simulated)).toBe(
      true,
    )
  })
})

describe('endpoints', () => {
  interface Listed {
    readonly endpoints: readonly { readonly name: string; readonly isKeySet: boolean; readonly verified: string }[]
  }

  test('are listed from the presets, with the names of their key variables and whether they are set', async () => {
    const env = { DEEPSEEK_API_KEY: 'sk-of-the-user-1', OPENAI_BASE_URL: 'http://me:password-1@gate.test/v1' }
    const { code, stdout } = await box.run(['models'], { env })
    const { endpoints } = JSON.parse((await box.run(['models', '--json'], { env })).stdout) as Listed

    expect(code).toBe(0)
    expect(endpoints.map(({ name }) => name)).toEqual(Object.keys(PRESETS))
    expect(endpoints.filter(({ isKeySet }) => isKeySet).map(({ name }) => name)).toEqual(['deepseek'])
    expect(stdout).toMatch(/^ollama +http:\/\/127\.0\.0\.1:11434\/v1 +none +nothing$/m)
    expect(stdout).toMatch(/^deepseek +https:\S+ +DEEPSEEK_API_KEY \(set\) +nothing$/m)
    expect(stdout).toMatch(/^qwen +https:\S+ +DASHSCOPE_API_KEY \(not set\) +nothing$/m)
    expect(stdout).toMatch(/^openai +OPENAI_BASE_URL \(set\) +OPENAI_API_KEY \(not set, may be missing\) +nothing$/m)
    expect(stdout).not.toMatch(/of-the-user|gate\.test|password/)
  })
})

describe('models of the configuration', () => {
  test('are listed with window, price and its source, and without what else is sent to them', async () => {
    const price = { input: 0.5, output: 2, source: 'https://gate.test/prices', date: '2026-01-31' }
    const models = { 'ollama:qwen3:8b': { contextWindow: 40_000, price, body: { think: 'for long' } }, 'vllm:m': {} }
    writeFiles(box.root, { 'harnesswright.config.json': JSON.stringify({ models }) })

    const { stdout } = await box.run(['models'])
    const { stdout: json } = await box.run(['models', '--json'])

    expect(stdout).toMatch(/^ollama:qwen3:8b +40,000 +0\.5 \/ 0\.5 \/ 2 +https:\/\/gate\.test\/prices \(2026-01-31\)$/m)
    expect(stdout).toMatch(/^vllm:m +unknown +unknown$/m)
    expect(JSON.parse(json)).toMatchObject({ configured: { 'ollama:qwen3:8b': { price } } })
    expect(stdout + json).not.toContain('for long')
  })
})

describe('compose', () => {
  test('prints a manifest that validates, and with --explain why it is that one', async () => {
    const { code, stdout, stderr } = await box.run(['compose', '--world', 'long-log:large', '--explain'])
    writeFiles(box.root, { 'composed.json': stdout })

    expect(code).toBe(0)
    expect(stderr).toMatch(/^applies /m)
    expect((await box.run(['validate', 'composed.json'])).code).toBe(0)
  })

  test('--json says the route and the identities too', async () => {
    const { stdout } = await box.run(['compose', 'sort these words', '--json'])

    expect(JSON.parse(stdout)).toMatchObject({
      route: 'rules',
      manifestId: expect.stringMatching(/^sha256:/),
      harnessId: expect.stringMatching(/^sha256:/),
      manifest: { protocol: 1 },
    })
  })
})

describe('validate', () => {
  const SIX = {
    protocol: 2,
    nmae: 'six',
    name: 'six',
    packages: { '@acme/harnesswright-odd': '^1.0.0' },
    memory: { use: '@harnesswright/seed-react#memory', with: { fill: 7 } },
    planning: { use: '@harnesswright/seed-raect#planning' },
    capability: null,
    action: { use: '@acme/harnesswright-odd#answers', with: { no: 1 } },
  }

  test('says every problem, numbered and in the order of the file, with all that is needed to mend it', async () => {
    writeFiles(box.root, { 'six.json': JSON.stringify(SIX, null, 2) })

    const { code, stdout, stderr } = await box.run(['validate', 'six.json'])
    const { stdout: json } = await box.run(['validate', 'six.json', '--json'])

    const { valid, problems } = JSON.parse(json) as { valid: boolean; problems: { code: string; pointer: string }[] }
    expect({ code, stdout, valid }).toEqual({ code: 3, stdout: '', valid: false })
    expect(problems.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/protocol', '/nmae', '/planning/use', '/memory/with/fill', '/action/with/no']),
    )
    for (const [index, problem] of problems.entries()) {
      expect(stderr).toContain(
        `\n${index + 1}. ${problem.code} at ${problem.pointer === '' ? 'the manifest' : problem.pointer}`,
      )
    }
    expect(stderr.match(/^ {3}fix: \S/gm)).toHaveLength(problems.length)
    expect(stderr).toMatch(/^ {3}nearest: @harnesswright\/seed-react#planning/m)
  })

  test('a valid manifest is said to be one, with its identities, and nothing of it is imported', async () => {
    wasImported()

    const { code, stdout, stderr } = await box.run(['validate', 'answers.json'])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^valid: answers, manifest [0-9a-f]{12}, harness [0-9a-f]{12}\n$/)
    expect(JSON.parse((await box.run(['validate', 'answers.json', '--json'])).stdout)).toEqual({
      valid: true,
      problems: [],
      manifestId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown,
      harnessId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown,
    })
    expect(wasImported()).toBe(false)
  })

  test('text from the file reaches the terminal clean', async () => {
    const hostile = { ...manifestOf('answers'), name: 7, 'x\u001b[31m\u202e': 1 }
    writeFiles(box.root, { 'hostile.json': JSON.stringify(hostile) })

    const { stderr } = await box.run(['validate', 'hostile.json'])

    expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })

  test.each([[[]], [['a.json', 'b.json']]])('takes one file, not %j', async (files) => {
    expect((await box.run(['validate', ...files])).code).toBe(2)
  })
})

describe('listings', () => {
  test('seeds says what each scaffold is and when to pick it', async () => {
    const { stdout } = await box.run(['seeds'])

    expect(stdout).toMatch(/^react {2}\(@harnesswright\/seed-react 0\.0\.0-linked\)\n {2}\S.+\n {2}Pick it when/m)
    expect(JSON.parse((await box.run(['seeds', '--json'])).stdout)).toMatchObject({
      seeds: expect.arrayContaining([expect.objectContaining({ scaffold: 'react', manifest: expect.any(Object) })]),
    })
  })

  test('catalog lists modules by slot with their options, those of the project among them', async () => {
    const { stdout } = await box.run(['catalog'])

    expect(stdout).toMatch(/^memory$/m)
    expect(stdout).toContain('\n  @harnesswright/seed-react#memory  ')
    expect(stdout).toMatch(/^ {6}fill +number 0\.1\.\.0\.9 = 0\.6 /m)
    expect(stdout).toContain('@acme/harnesswright-odd#answers  (1.2.3)')
  })

  test('catalog --schema writes the schema that manifests point at', async () => {
    const { code, stdout } = await box.run(['catalog', '--schema'])

    const file = join(box.root, '.harnesswright', 'manifest.schema.json')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` })
    expect(readFileSync(file, 'utf8')).toContain('@acme/harnesswright-odd#answers')
  })

  test('a command that takes nothing after its name says so', async () => {
    expect((await box.run(['seeds', 'react'])).code).toBe(2)
  })
})

describe('doctor', () => {
  test('says what is there and what is missing, names variables and never what they hold', async () => {
    const env = { OPENAI_API_KEY: 'sk-of-the-user-1' }
    const { code, stdout } = await box.run(['doctor'], { env })

    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok +Node\.js /m)
    expect(stdout).toMatch(/^ok +@harnesswright\/plugin-model-openai +\d+\.\d+\.\d+ with openai 6\.\d+\.\d+: .*ollama/m)
    expect(stdout).toMatch(/^later +@harnesswright\/plugin-training .*not part of this version/m)
    expect(stdout).toMatch(/^ok +OPENAI_API_KEY +is set$/m)
    expect(stdout).toMatch(/^optional +OPENAI_MODEL +not set: \S/m)
    expect(stdout).toMatch(/^optional +Ollama +does not answer .*start it/m)
    expect(stdout).toMatch(
      /^missing +model +OPENAI_API_KEY is set, and nothing names a model\. Set OPENAI_MODEL, or use/m,
    )
    expect(stdout.match(/^missing /gm)).toHaveLength(1)
    expect(stdout).not.toContain('sk-of')
  })

  test.each([
    [{}, /^ok +model +sim-mid, nothing names another$/m],
    [{ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'some-model' }, /^ok +model +openai:some-model, named by OPENAI_MODEL/m],
    [{ HARNESSWRIGHT_MODEL: 'ollama:m' }, /^ok +model +ollama:m, named by HARNESSWRIGHT_MODEL$/m],
  ])('says which model a run has with %j', async (env, told) => {
    const { code, stdout } = await box.run(['doctor'], { env })

    expect(code).toBe(0)
    expect(stdout).toMatch(told)
    expect(stdout).not.toMatch(/^(missing|broken) /m)
  })

  test('says which weights are there, and how models in this process are got where none are', async () => {
    expect((await box.run(['doctor'])).stdout).toMatch(/plugin-model-llama .*no weights fetched.*--download/)

    const { bytes, fileName } = findWeights('smollm2-135m-instruct')
    mkdirSync(join(box.home, 'models'), { recursive: true })
    writeFileSync(join(box.home, 'models', fileName), '')
    truncateSync(join(box.home, 'models', fileName), bytes)

    expect((await box.run(['doctor'])).stdout).toMatch(/plugin-model-llama .*fetched: smollm2-135m-instruct/)
  })

  test('looks for Ollama on this computer alone', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return { ok: true }
    }

    const { stdout } = await box.run(['doctor'], { fetch })

    expect(asked).toEqual(['http://127.0.0.1:11434/api/version'])
    expect(stdout).toMatch(/^ok +Ollama .*--model ollama:<model> works$/m)
  })

  test('a configuration that is wrong is told as one finding among the others', async () => {
    writeFiles(box.root, { 'harnesswright.config.json': '{ "packages": ["not-there"] }' })

    const { code, stdout } = await box.run(['doctor'])

    expect(code).toBe(3)
    expect(stdout).toMatch(/^broken +packages +E_CLI_PACKAGE/m)
    expect(stdout).toMatch(/^ok +Node\.js /m)
  })
})
