import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fetchWeights, lookForWeights, type Weights } from '../src/index.js'
import { aFolder } from './support/folder.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { makeGguf } from './support/make-gguf.js'
import { type Answer, sends, withServer } from './support/weights-server.js'

const { resolve } = createRequire(import.meta.url)
const at = (path: string): string => pathToFileURL(join(import.meta.dirname, path)).href

/** Starts a program that imports sources by their address, and gives it words. */
function start(program: string, ...words: readonly string[]): ChildProcess {
  const script = join(aFolder(), 'program.mts')
  writeFileSync(script, program)
  const flags = ['--expose-gc', '--import', pathToFileURL(resolve('tsx')).href, '--conditions=@harnesswright/source']
  return spawn(process.execPath, [...flags, script, ...words], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const FETCHES = `
import { fetchWeights } from '${at('../src/index.ts')}'
const [weights, folder, ca] = process.argv.slice(2)
await fetchWeights(JSON.parse(weights), { folder, ca, download: true })
`

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 11 + (index >> 7)) & 0xff))
const FIRST = 120_000

/** Sends a part of the file, and then nothing, with the line open. */
const stalls: Answer = (_request, response) => {
  response.writeHead(200, { 'content-length': FILE.length })
  response.write(FILE.subarray(0, FIRST))
}

test(
  'a download whose process is killed leaves no weights, and the next one goes on from what has come',
  async () => {
    const folder = aFolder()
    const weights = (url: string): Weights => ({
      id: 'some',
      description: 'some weights',
      fileName: 'some.gguf',
      url,
      bytes: FILE.length,
      sha256: createHash('sha256').update(FILE).digest('hex'),
      verified: 'none',
      licence: 'Apache-2.0',
      licenceUrl: 'https://licence.test',
    })
    await withServer(stalls, async ({ url, ca }) => {
      const child = start(FETCHES, JSON.stringify(weights(url)), folder, ca)
      const part = join(folder, 'some.gguf.part')
      await expect
        .poll(() => (existsSync(part) ? statSync(part).size : 0), { timeout: LOADING_MS, interval: 50 })
        .toBe(FIRST)
      const gone = new Promise((done) => child.once('exit', (_code, signal) => done(signal)))
      child.kill('SIGKILL')
      expect(await gone).toBe('SIGKILL')
    })

    expect(lookForWeights(weights('https://localhost'), folder)).toMatchObject({ isThere: false, partBytes: FIRST })
    await withServer(sends(FILE), async ({ url, ca, requests }) => {
      const file = await fetchWeights(weights(url), { folder, ca, download: true })
      expect(readFileSync(file).equals(FILE)).toBe(true)
      expect(requests.map(({ range }) => range)).toEqual([`bytes=${FIRST}-`])
    })
  },
  LOADING_MS,
)

/** Runs of a harness, every third of them aborted while the model speaks; the memory of the process after each ten, in bytes. */
const RUNS = `
import { createEnvironment } from '${at('../../../core/src/index.ts')}'
import { assembleModules } from '${at('../../../core/src/testkit/index.ts')}'
import { action, capability, memory, planning } from '${at('../../../seeds/react/src/index.ts')}'
import { createLlamaModel } from '${at('../src/index.ts')}'
const model = createLlamaModel({ file: process.argv[2], threads: 1, contextTokens: 2048, maxOutputTokens: 20, sampling: { temperature: 1 } })
const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { word: { enum: ['a', 'b'] } }, required: ['word'] }, execute: () => 'seen' }
const sizes = []
for (let run = 1; run <= 60; run++) {
  const stop = new AbortController()
  const observe = ({ type }) => void (run % 3 === 0 && type === 'delta' && stop.abort(new Error('enough')))
  const env = createEnvironment({ model, tools: [look], observe })
  const harness = await assembleModules({ memory, planning, capability, action, manifest: { limits: { steps: 2 } } }, env)
  const { status } = await harness.run('Look at it, in a word or two.', { seed: run, signal: stop.signal }).result
  if (!['answered', 'limit', 'aborted'].includes(status)) throw new Error('a run ended as ' + status)
  if (run % 10 === 0) {
    globalThis.gc()
    sizes.push(process.memoryUsage().rss)
  }
}
await model.close()
console.log(JSON.stringify(sizes))
`

describe.skipIf(noLlama !== undefined)(withLlama('a model that is used again and again'), () => {
  test(
    'takes no more memory after 50 runs than before, some of them aborted',
    async () => {
      const file = join(aFolder(), 'tiny.gguf')
      makeGguf(file)
      const child = start(RUNS, file)
      let out = ''
      child.stdout?.on('data', (text) => {
        out += text
      })
      const code = await new Promise((done) => child.once('close', done))
      const sizes = JSON.parse(out) as number[]
      const [before = 0] = sizes
      const after = sizes.at(-1) ?? 0

      expect(code).toBe(0)
      // A context of these is 4 MB, and a reply with its grammar some hundred kB: 50 that were kept would be far more.
      expect((after - before) / 2 ** 20, sizes.join(' ')).toBeLessThan(12)
    },
    LOADING_MS,
  )
})
