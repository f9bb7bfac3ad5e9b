import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles } from './fixture-project.js'
import { type ChatServer, serveChat, streamOf } from './support/chat-server.js'
import { serveText, USAGE, WRITTEN } from './support/composer.js'

let box: Sandbox
const servers: ChatServer[] = []
beforeEach(() => {
  box = new Sandbox()
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

/** An endpoint that says this again and again. */
async function says(content: string): Promise<ChatServer> {
  const server = await serveText(content)
  servers.push(server)
  return server
}

/** A run on a small world of the simulated model, whose harness is composed by the model of an endpoint. */
async function runComposed(content: string, more: readonly string[] = [], command: 'run' | 'compose' = 'run') {
  const server = await says(content)
  const argv = [command, '--world', 'quotes', '--rng', '7', '--model', 'sim-mid', '--json', ...more]
  const env = { OPENAI_BASE_URL: server.url }
  const { code, stdout, stderr } = await box.run([...argv, '--meta-model', 'compatible:composer'], { env })
  return { code, stderr, server, result: JSON.parse(stdout === '' ? '{}' : stdout) as Readonly<Record<string, never>> }
}

const PRICED = {
  'harnesswright.config.json': JSON.stringify({
    models: {
      'compatible:composer': { price: { input: 1, cached: 1, output: 4, source: 'a page', date: '2026-01-31' } },
    },
  }),
}

describe('--meta-model', () => {
  test('composes the harness that runs, and its tokens, calls and cost count with the run', async () => {
    const alone = await box.run(['run', '--world', 'quotes', '--rng', '7', '--model', 'sim-mid', '--json', '--quiet'])
    writeFiles(box.root, PRICED)
    const { code, stderr, result, server } = await runComposed(WRITTEN)
    const before = JSON.parse(alone.stdout) as {
      usage: { inputTokens: number; outputTokens: number }
      modelCalls: number
    }

    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({
      route: 'model',
      manifest: { name: 'written-by-a-model', memory: { with: { fill: 0.4 } } },
      modelCalls: before.modelCalls + 3,
      usage: {
        inputTokens: before.usage.inputTokens + 3_000,
        outputTokens: before.usage.outputTokens + 600,
        source: 'known',
        partial: false,
      },
      composing: { model: 'compatible:composer', simulated: false, modelCalls: 3, usage: { cachedTokens: 300 } },
      check: { passed: true },
    })
    expect(result['composing']).toMatchObject({ usd: expect.closeTo(0.0054, 9) })
    expect(stderr).toMatch(/^composer: compatible:composer at http:\/\/127\.0\.0\.1:\d+\/v1, named by --meta-model$/m)
    expect(stderr).toMatch(/^composed by compatible:composer: 3 model calls, 3,600 tokens .*, \$?0\.0054/m)
    expect(stderr).toMatch(/ in part simulated, /)
    expect(server.received.map(({ body }) => body['model'])).toEqual(['composer', 'composer', 'composer'])
  })

  test('leaves the run what is left of the limits', async () => {
    await runComposed(WRITTEN, ['--limit', 'tokens=400000'])
    const [run = ''] = readdirSync(join(box.home, 'runs'))
    const journal = readFileSync(join(box.home, 'runs', run, 'journal.jsonl'), 'utf8')

    expect(journal).toMatch(/"tokens":396400\b/)
  })

  test('that writes nothing which can run is told with its reason, and rules compose', async () => {
    const { code, stderr, result } = await runComposed('I would rather not.')

    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({ route: 'rules', composing: { modelCalls: 4 }, check: { passed: true } })
    expect(stderr).toMatch(/^warning: compatible:composer composed no harness that can run\. \S/m)
  })

  test('a simulated model composes nothing, and says so', async () => {
    const { code, stderr } = await box.run(['compose', '--world', 'quotes', '--meta-model', 'sim-mid'])

    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning: sim-mid composed no harness that can run\. .*compos/m)
  })

  test('of "compose" prints the manifest that it wrote', async () => {
    const { code, stderr, result } = await runComposed(WRITTEN, [], 'compose')

    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({
      route: 'model',
      manifest: { name: 'written-by-a-model' },
      composing: { modelCalls: 3 },
    })
  })

  test('is one model with that of the run, where both have the same name', async () => {
    const { url } = await says(WRITTEN)
    const argv = ['compose', 'Write a word.', '--model', 'compatible:m', '--meta-model', 'compatible:m', '--json']
    const { stdout } = await box.run(argv, { env: { OPENAI_BASE_URL: url } })

    expect(JSON.parse(stdout)).toMatchObject({ route: 'model' })
  })

  test.each([
    ['--seed', 'react'],
    ['--manifest', 'm.json'],
  ])('cannot stand with %s, which names the harness', async (...named) => {
    const { code, stderr } = await box.run(['run', 'x', ...named, '--meta-model', 'sim-mid'])

    expect(code).toBe(2)
    expect(stderr).toContain(`Several harnesses are named: ${named[0]} and --meta-model.`)
  })

  test('that cannot be made is told as the one that is wrong', async () => {
    const { code, stderr } = await box.run(['run', 'x', '--model', 'sim-mid', '--meta-model', 'ollama:'])

    expect(code).toBe(3)
    expect(stderr).toMatch(/^where: --meta-model$/m)
  })

  test('in this process that is not fetched names --meta-model and the option that allows it', async () => {
    const argv = ['run', 'x', '--model', 'sim-mid', '--meta-model', 'llama:smollm2-135m-instruct']
    const { code, stderr } = await box.run(argv, { stdin: '' })

    expect(code).toBe(4)
    expect(stderr).toMatch(/^error\[E_LLAMA_PERMISSION\][\s\S]*^where: --meta-model$[\s\S]*add --download/m)
  })

  test('counts with the run when that is gone on with', async () => {
    const server = await says(WRITTEN)
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--model', 'sim-mid', '--meta-model', 'compatible:composer']
    await box.run(argv, {
      env: { OPENAI_BASE_URL: server.url },
      onError: (text, send) => text.startsWith('step 2 ') && send('SIGINT'),
    })
    const [run = ''] = readdirSync(join(box.home, 'runs'))
    const { stdout } = await box.run(['resume', run, '--json'])

    expect(JSON.parse(stdout)).toMatchObject({ route: 'model', composing: { modelCalls: 3 }, check: { passed: true } })
    expect(server.received).toHaveLength(3)
  })
})

describe('a model without tool calls of its own', () => {
  test('is told its tools in words, and its calls are read out of its text', async () => {
    const server = await serveChat(
      ['{"tools": [{"name": "list_files", "arguments": {}}]}', '{"final_answer": "There is one file."}'].map(
        (content) => () => ({
          body: streamOf([content], USAGE),
        }),
      ),
    )
    servers.push(server)
    writeFiles(box.root, {
      'harnesswright.config.json': JSON.stringify({ models: { 'compatible:small': { tools: false } } }),
    })
    const argv = ['run', 'Which files are there?', '--seed', 'react', '--model', 'compatible:small', '--json']
    const { code, stdout, stderr } = await box.run(argv, { env: { OPENAI_BASE_URL: server.url } })

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', answer: 'There is one file.', steps: 2 })
    expect(server.received).toHaveLength(2)
    for (const { body } of server.received) {
      expect(body).not.toHaveProperty('tools')
      expect(JSON.stringify(body['messages'])).toContain('list_files')
    }
  })

  test.each(['json', 'marker'])('speaks the codec %s where a manifest names it', async (codec) => {
    const { stdout } = await box.run(['compose', '--world', 'quotes', '--model', 'sim-mid'])
    writeFiles(box.root, { 'm.json': JSON.stringify({ ...JSON.parse(stdout), codec }) })
    const content = codec === 'json' ? '{"final_answer": "done"}' : '<final_answer>done</final_answer>'
    const { url } = await says(content)
    const argv = ['run', 'Say done.', '--manifest', 'm.json', '--model', 'compatible:small', '--json']
    const run = await box.run(argv, { env: { OPENAI_BASE_URL: url } })

    expect(run.code, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ answer: 'done', manifest: { codec } })
  })
})
