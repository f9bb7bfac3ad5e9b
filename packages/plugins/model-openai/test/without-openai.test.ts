import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A process in which the package "openai" is not installed. */
const SCRIPT = `
import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  export function resolve(name, context, next) {
    if (name === 'openai') throw new Error('Cannot find package "openai"')
    return next(name, context)
  }
\`))
const { createOpenAiModel } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)})
const model = createOpenAiModel({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1' })
const request = { purpose: 'act', messages: [{ role: 'user', content: 'Hello.' }] }
try {
  await model.generate(request, { signal: new AbortController().signal })
} catch ({ code, hint }) {
  console.log(JSON.stringify({ code, hint }))
}
`

test('without the package openai a call ends at once with the command that installs it', async () => {
  const args = ['--conditions=@harnesswright/source', '--import', 'tsx', '--input-type=module', '--eval', SCRIPT]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(JSON.parse(stdout)).toEqual({
    code: 'E_PROTOCOL_LOAD',
    hint: expect.stringContaining('npm install openai'),
  })
})
