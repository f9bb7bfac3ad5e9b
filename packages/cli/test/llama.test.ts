import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@harnesswright/core'
import * as llama from '@harnesswright/plugin-model-llama'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LOADING_MS, noLlama, withLlama } from '../../plugins/model-llama/test/support/llama-here.js'
import { makeGguf } from '../../plugins/model-llama/test/support/make-gguf.js'
import {
  breaksAfter,
  sends,
  type WeightsServer,
  withServer,
} from '../../plugins/model-llama/test/support/weights-server.js'
import { parseArguments } from '../src/args/parse-arguments.js'
import { NO_CONFIG } from '../src/config/config.js'
import type { FetchHost } from '../src/models/fetch-model-file.js'
import { makeLlamaModel } from '../src/models/llama-model.js'
import { findLlamaPackages, type LlamaPlugin, loadLlamaPlugin } from '../src/models/llama-plugin.js'
import { Screen } from '../src/output/screen.js'
import { Sandbox } from './fake-io.js'

const folder = mkdtempSync(join(tmpdir(), 'harnesswright-llama-'))
const tiny = join(folder, 'tiny.gguf')
let file: Buffer

let box: Sandbox
beforeAll(() => {
  makeGguf(tiny)
  file = readFileSync(tiny)
})
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const coded = (code: string, hint: RegExp) =>
  expect.objectContaining({ code, hint: expect.stringMatching(hint) }) as unknown as Error // a matcher

describe.skipIf(noLlama !== undefined)(withLlama('a model file in this process'), { timeout: LOADING_MS }, () => {
  const limits = ['--limit', 'steps=1,tokens=6000']

  test('runs a task: its tokens are known, it costs nothing, and its memory is freed', async () => {
    const argv = ['run', 'Say a word.', '--seed', 'react', '--model', `llama:${tiny}`, ...limits]
    const { code, stdout, stderr } = await box.run([...argv, '--json'])
    const said = JSON.parse(stdout) as { readonly [field: string]: unknown }

    expect(code, stderr).toBeOneOf([0, 5])
    expect(said).toMatchObject({ model: `llama:${tiny}`, simulated: false, usd: 0, modelCalls: 1 })
    expect(said['usage']).toMatchObject({ source: 'known', partial: false })
    expect(stderr.split('\n')[0]).toBe(`model: llama:${tiny}, named by --model, runs in this process; rng 1`)
    expect(stderr).not.toContain('usd=')
  })

  test('is found from the working directory, and by a run that is resumed in another', async () => {
    const argv = ['run', 'Say a word.', '--seed', 'react', '--model', 'llama:./tiny.gguf', ...limits]
    await box.run(argv, { cwd: folder })
    const [run = ''] = readdirSync(join(box.home, 'runs'))
    const { stderr } = await box.run(['resume', run])

    expect(stderr).toContain(`model: llama:${tiny}, as when the run began`)
  })
})

describe('a model in this process that cannot be used', () => {
  test.each([
    ['llama', 3, 'E_CLI_MODEL', 'Write --model llama:<name>'],
    ['llama:', 3, 'E_CLI_MODEL', 'Write --model llama:<name>'],
    ['llama:smollm-135m', 3, 'E_LLAMA_WEIGHTS', 'smollm2-135m-instruct'],
    ['llama:./none.gguf', 3, 'E_LLAMA_FILE', 'none.gguf'],
    ['llama:gemma-3-270m-it', 4, 'E_LLAMA_PERMISSION', 'add --download'],
  ])('%s ends with %i and %s', async (name, exit, error, said) => {
    const { code, stderr, stdout } = await box.run(['run', 'x', '--model', name], { stdin: '' })

    expect(code, stderr).toBe(exit)
    expect(stderr).toContain(`error[${error}]`)
    expect(stderr).toContain(said)
    expect(stdout).toBe('')
  })

  test.each([['llama:./tiny.gguf'], [`llama:${tiny}`]])('is made as the configuration says of %s', async (name) => {
    const { host } = hostOf([])
    const entry = { contextWindow: 1_024, maxOutputTokens: 96, threads: 1 }
    const config = { ...NO_CONFIG, models: { [name]: entry } }
    const io = { ...host.io, cwd: folder }
    const { model: made } = await makeLlamaModel(
      { name: `llama:${tiny}`, why: '', where: '--model' },
      { ...host, io, config },
      async () => llama,
    )

    expect(made).toMatchObject({ id: `llama:${tiny}`, contextWindow: 1_024, maxOutputTokens: 96 })
  })

  test('that needs the plugin, or llama.cpp, names the line that installs what is missing', async () => {
    const install = /npm install @harnesswright\/plugin-model-llama node-llama-cpp@3/
    const { plugin, binding } = findLlamaPackages()
    const nothing = loadLlamaPlugin('--model', { plugin: undefined, binding: undefined })
    const missing = loadLlamaPlugin('--model', { plugin, binding: undefined })

    expect([plugin?.name, binding?.name]).toEqual(['@harnesswright/plugin-model-llama', 'node-llama-cpp'])
    await expect(nothing).rejects.toThrow(coded('E_CLI_MODEL', install))
    await expect(missing).rejects.toThrow(coded('E_CLI_MODEL', install))
    await expect(missing).rejects.toThrow(/need node-llama-cpp, which is not installed/)

    const directory = join(box.root, 'broken')
    mkdirSync(directory)
    writeFileSync(join(directory, 'index.js'), 'this is no JavaScript')
    const broken = loadLlamaPlugin('--model', {
      plugin: { name: 'broken', directory, manifest: {}, isLinked: false },
      binding,
    })
    await expect(broken).rejects.toThrow(coded('E_CLI_MODEL', install))
  })

  test('is nothing that whoever installs the command line gets', () => {
    const manifest: Record<string, Record<string, unknown>> = JSON.parse(
      readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
    )

    expect(Object.keys(manifest['dependencies'] ?? {}).filter((name) => name.includes('llama'))).toEqual([])
    expect(manifest['peerDependenciesMeta']).toEqual({ '@harnesswright/plugin-model-llama': { optional: true } })
  })
})

/** A host with what is typed on its terminal; without, there is none. */
function hostOf(options: readonly string[], typed?: readonly string[]) {
  const said = { stderr: '', questions: [] as string[] }
  const answers = [...(typed ?? [])]
  const isTTY = typed !== undefined
  const args = parseArguments(['run', 'x', ...options])
  const tell = (text: string): void => {
    said.stderr += text
  }
  const io = {
    env: { HARNESSWRIGHT_HOME: box.home },
    cwd: box.root,
    home: box.root,
    isTTY: { stdin: isTTY, stdout: false, stderr: isTTY },
    stderr: { columns: 100, write: tell },
    now: () => performance.now(),
    ask: async (question: string) => {
      said.questions.push(question)
      return answers.shift() ?? ''
    },
  } as unknown as FetchHost['io'] // what else there is of a computer is not looked at
  return { host: { args, io, screen: new Screen(io, args), config: NO_CONFIG }, said }
}

/** The plugin with one entry in its table, at a server on this computer. */
function pluginAt({ url, ca }: WeightsServer, changed: Partial<llama.Weights> = {}): LlamaPlugin {
  const weights: llama.Weights = {
    id: 'tiny',
    description: 'noise',
    fileName: 'tiny.gguf',
    url,
    bytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
    verified: 'computed',
    licence: 'Apache-2.0',
    licenceUrl: 'https://licence.test',
    ...changed,
  }
  return {
    ...llama,
    findWeights: () => weights,
    fetchWeights: (one, options) => llama.fetchWeights(one, { ...options, ca, clock: QUICK }),
  }
}

/** Waits between attempts pass at once, and silences never. */
const QUICK: Clock = {
  now: () => 0,
  during: (work) => work,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms < 60_000) return resolve()
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
}

const GEMMA = { licence: 'Gemma Terms of Use', terms: 'gemma' } as const

interface Fetching {
  readonly options?: readonly string[]
  readonly typed?: readonly string[]
  readonly weights?: Partial<llama.Weights>
}

async function make(server: WeightsServer, { options = [], typed, weights }: Fetching) {
  const { host, said } = hostOf(options, typed)
  const choice = { name: 'llama:tiny', why: '', where: '--model' }
  const made = await makeLlamaModel(choice, host, async () => pluginAt(server, weights)).catch(
    (error: unknown) => error,
  )
  return { made, said, requests: server.requests.length }
}

const model = expect.objectContaining({ model: expect.objectContaining({ id: 'llama:tiny', contextWindow: 4_096 }) })

describe('a model file that is not there', () => {
  test('is fetched with --download, once, and size, host and licence are told before', async () => {
    await withServer(sends(file), async (server) => {
      const first = await make(server, { options: ['--download'] })
      const second = await make(server, {})

      expect(first).toMatchObject({ made: model, requests: 1 })
      const [told, end] = first.said.stderr.split('\n')
      expect(told).toMatch(/^weights: tiny, [\d,]+ bytes from localhost:\d+, Apache-2\.0 \(https:\/\/licence\.test\)$/)
      expect(end).toMatch(/^weights: fetched in \d+\.\d s, their hash is right$/)
      expect(readFileSync(join(box.home, 'models', 'tiny.gguf')).equals(file)).toBe(true)
      expect(second).toMatchObject({ made: model, requests: 1, said: { stderr: '' } })
    })
  })

  test('is not fetched where nobody allows it, and the option that does is told', async () => {
    await withServer(sends(file), async (server) => {
      const { made, requests, said } = await make(server, {})

      expect(made).toEqual(coded('E_LLAMA_PERMISSION', /then add --download\.$/))
      expect(requests).toBe(0)
      expect(said.questions).toEqual([])
      expect(existsSync(join(box.home, 'models'))).toBe(false)
    })
  })

  test.each([['no'], [''], ['yes please'], ['gemma']])('is not fetched when a person answers %j', async (answer) => {
    await withServer(sends(file), async (server) => {
      const { made, requests, said } = await make(server, { typed: [answer] })

      expect(made).toEqual(coded('E_LLAMA_PERMISSION', /--download/))
      expect([requests, said.questions.length]).toEqual([0, 1])
    })
  })

  test.each([['yes'], ['Y']])(
    'is fetched when a person answers %j, and a line moves until it is there',
    async (answer) => {
      await withServer(sends(file), async (server) => {
        const { made, said } = await make(server, { typed: [answer] })

        expect(made).toEqual(model)
        expect(said.questions).toEqual(['download it? (yes/no) > '])
        expect(said.stderr.indexOf('Apache-2.0')).toBeLessThan(said.stderr.indexOf(' of '))
        expect(said.stderr).toContain('100 %')
      })
    },
  )

  test.each<[string, Fetching, number]>([
    ['the option names them', { options: ['--download', '--accept-license', 'gemma'] }, 0],
    ['a person accepts them', { options: ['--download'], typed: ['yes'] }, 1],
    ['a person allows both', { typed: ['yes', 'yes'] }, 2],
  ])('with terms of its own is fetched when %s', async (_how, fetching, questions) => {
    await withServer(sends(file), async (server) => {
      const { made, said } = await make(server, { ...fetching, weights: GEMMA })

      expect(made).toEqual(model)
      expect(said.questions).toHaveLength(questions)
    })
  })

  test.each<[string, Fetching]>([
    ['only the download was allowed', { options: ['--download'] }],
    ['other terms were accepted', { options: ['--download', '--accept-license', 'llama'] }],
    ['a person does not accept them', { typed: ['yes', 'no'] }],
  ])('with terms of its own is not fetched when %s', async (_how, fetching) => {
    await withServer(sends(file), async (server) => {
      const { made, requests } = await make(server, { ...fetching, weights: GEMMA })

      expect(made).toEqual(coded('E_LLAMA_TERMS', /then add --accept-license gemma\.$/))
      expect(requests).toBe(0)
    })
  })

  test('goes on where a line broke, and tells the wait', async () => {
    let count = 0
    const answer: Parameters<typeof withServer>[0] = (...call) =>
      count++ === 0 ? breaksAfter(file, 100_000)(...call) : sends(file)(...call)
    await withServer(answer, async (server) => {
      const { made, said } = await make(server, { options: ['--download'] })

      expect(made).toEqual(model)
      expect(said.stderr).toMatch(/^waiting 1\.0 s for localhost:\d+: attempt 2$/m)
      expect(server.requests.at(-1)?.range).toMatch(/^bytes=\d+-$/)
    })
  })

  test('with another hash is no model', async () => {
    await withServer(sends(Buffer.alloc(file.length, 1)), async (server) => {
      const { made } = await make(server, { options: ['--download'] })

      expect(made).toEqual(coded('E_LLAMA_HASH', /Try again/))
    })
  })
})

describe('what can run in this process', () => {
  test('is listed by models: size, licence, and whether the file is there', async () => {
    const { stdout } = await box.run(['models'])
    const { stdout: json } = await box.run(['models', '--json'])
    const { weights } = JSON.parse(json) as { readonly weights: readonly { readonly id: string }[] }

    expect(stdout).toMatch(/^llama:smollm2-135m-instruct +99 MB +Apache-2\.0 +with --download$/m)
    expect(stdout).toMatch(
      /^llama:gemma-3-270m-it +292 MB +Gemma Terms of Use, --accept-license gemma +with --download$/m,
    )
    expect(weights.map(({ id }) => id)).toEqual(llama.WEIGHTS.map(({ id }) => id))
  })

  test('is found by doctor', async () => {
    const { stdout } = await box.run(['doctor'])

    expect(stdout).toMatch(
      /^ok +@harnesswright\/plugin-model-llama +0\.\d+\.\d+ with node-llama-cpp 3\.\d+\.\d+; no weights fetched: --model llama:<name> --download gets them$/m,
    )
  })
})
