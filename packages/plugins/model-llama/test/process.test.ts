import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { aFolder } from './support/folder.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { makeGguf } from './support/make-gguf.js'

const source = pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href

/** Ends any way to the package of llama.cpp, as if it were not installed. */
const NOT_INSTALLED = `
import { register } from 'node:module'
const hook = \`export async function resolve(name, context, next) {
  if (name === 'node-llama-cpp') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}\`
register('data:text/javascript,' + encodeURIComponent(hook))
`

const ASKS = `
import { copyFileSync, truncateSync } from 'node:fs'
import { createLlamaModel } from '${source}'
const [whole, cut] = [process.argv[2], process.argv[2] + '.cut']
copyFileSync(whole, cut)
truncateSync(cut, 400000)
const messages = [{ role: 'user', content: 'Hello' }]
for (const file of [cut, whole]) {
  const model = createLlamaModel({ file, threads: 1 })
  const signal = new AbortController().signal
  const asked = model.generate({ purpose: 'act', messages, maxTokens: 3 }, { signal })
  console.log(JSON.stringify(await asked.then(({ usage }) => ({ tokens: usage.outputTokens }), ({ code, message, hint }) => ({ code, message, hint }))))
}
`

/** Runs a program of this package in a process of its own; gives what it printed, when it has ended by itself. */
async function runs(program: string): Promise<{ code: number | null; printed: readonly unknown[]; errors: string }> {
  const folder = aFolder()
  const [script, model] = [join(folder, 'program.mts'), join(folder, 'tiny.gguf')]
  writeFileSync(script, program)
  makeGguf(model)
  const tsx = createRequire(import.meta.url).resolve('tsx/cli')
  const child = spawn(process.execPath, [tsx, '--conditions=@harnesswright/source', script, model], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, errors] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, printed: out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])), errors }
}

describe('a process', () => {
  test(
    'in which the package of llama.cpp is missing is told how to install it',
    async () => {
      const { printed } = await runs(`${NOT_INSTALLED}\n${dynamic(ASKS)}`)

      expect(printed[0]).toEqual({
        code: 'E_PROTOCOL_LOAD',
        message: expect.stringContaining('"node-llama-cpp" does not load'),
        hint: expect.stringContaining('npm install node-llama-cpp@3'),
      })
    },
    LOADING_MS,
  )

  test.skipIf(noLlama !== undefined)(
    withLlama('ends by itself though no model was closed, and hears what llama.cpp says, which is not printed'),
    async () => {
      const { code, printed, errors } = await runs(ASKS)
      expect(printed).toEqual([
        expect.objectContaining({ code: 'E_LLAMA_LOAD', message: expect.stringMatching(/not within the file bounds/) }),
        { tokens: 3 },
      ])
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
    },
    LOADING_MS,
  )
})

/** The program with its import made when it runs, after what stands before it. */
function dynamic(program: string): string {
  return program.replace(/import (\{.*?\}) from ('.*?')/g, 'const $1 = await import($2)')
}
