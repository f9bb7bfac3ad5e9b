import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SimServer, serveSim } from '@harnesswright/plugin-model-sim'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, type Surroundings } from './fake-io.js'
import { writeFiles, writeProject } from './fixture-project.js'
import { type ChatServer, serveChat, streamOf } from './support/chat-server.js'
import { quickClock } from './support/quick-clock.js'

const KEY = 'sk-of-the-user-1234567890'

let box: Sandbox
const servers: ChatServer[] = []
beforeAll(async () => {
  await import('openai') // loaded at the first request, which would count as a wait for the endpoint
})
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

/** An endpoint that is closed after the test. */
async function serve(...answers: Parameters<typeof serveChat>[0]): Promise<ChatServer> {
  const server = await serveChat(answers)
  servers.push(server)
  return server
}

/** Asks a model once, and gives its text as the answer. */
const ask = (url: string, around: Surroundings = {}, ...more: readonly string[]) =>
  box.run(['run', '--manifest', 'says.json', 'what is this?', '--model', 'openai:some-model', ...more], {
    clock: quickClock,
    ...around,
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, ...around.env },
  })

/** Everything that the runs of a sandbox left behind, as one text. */
function records(): string {
  const files = readdirSync(join(box.home, 'runs'), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

describe('the simulated models behind a port', () => {
  let sim: SimServer
  beforeAll(async () => {
    sim = await serveSim()
  })
  afterAll(() => sim.close())

  /** A run on a world as its one object, without what is another each time. */
  async function runOn(model: string, more: readonly string[] = []) {
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--json', '--model', model, ...more]
    const said = await box.run(argv, { env: { OPENAI_BASE_URL: sim.url } })
    const { model: _model, trace, ...result } = JSON.parse(said.stdout) as Record<string, unknown>
    return { code: said.code, result, stderr: said.stderr, trace: readFileSync(String(trace), 'utf8') }
  }

  test.each([['react'], ['plan-and-execute']])(
    'a run of %s over the wire is the run in process: answer, steps, usage, cost and simulated time',
    async (seed) => {
      const inside = await runOn('sim-mid', ['--seed', seed])
      const outside = await runOn('sim:sim-mid', ['--seed', seed])

      expect(outside).toMatchObject({ code: 0, result: { simulated: true, check: { passed: true } } })
      expect(outside.result).toEqual(inside.result)
      expect(outside.stderr.split('\n')[0]).toBe(
        `model: sim:sim-mid (simulated: no language model) at ${sim.url}, named by --model; rng 7`,
      )
    },
  )

  test('a harness is composed as in process, and replies come in pieces', async () => {
    const inside = await runOn('sim-mid')
    const outside = await runOn('sim:sim-mid')

    expect(outside.result).toEqual(inside.result)
    const deltas = outside.trace.split('\n').filter((line) => line.includes('"type":"model-delta"'))
    expect(deltas.length).toBeGreaterThan(Number(outside.result['modelCalls']))
  })

  test('any other client gets along: as openai:sim-mid the check passes, and the cost is unknown', async () => {
    const { code, result, stderr } = await runOn('openai:sim-mid')

    expect(code).toBe(0)
    expect(result).toMatchObject({ check: { passed: true }, simulated: false, usd: null, usage: { source: 'known' } })
    expect(stderr).toMatch(/^answered: .* tokens \([\d,]+ in, .*\), unknown cost, \d+\.\d s$/m)
  })
})

describe('an endpoint', () => {
  test('gets the key of its variable, and the answer is what it said', async () => {
    const { url, received } = await serve({ body: streamOf(['all ', 'is well']) })

    const { code, stdout, stderr } = await ask(url)

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'all is well\n' })
    expect(received[0]).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'some-model', stream: true },
    })
    expect(stderr).toMatch(new RegExp(`^model: openai:some-model at ${url}, named by --model; rng 1$`, 'm'))
    expect(stderr).toMatch(/^answered: 1 step, 1 model call, tokens unknown, unknown cost, /m)
    expect(stderr).toMatch(/^step 1 .*unknown tokens, unknown cost/m)
  })

  test('that counts no tokens has null for them, and for the cost, in --json', async () => {
    const { url } = await serve({ body: streamOf(['x']) })

    expect(JSON.parse((await ask(url, {}, '--json')).stdout)).toMatchObject({
      status: 'answered',
      simulated: false,
      usage: { inputTokens: null, outputTokens: null, source: 'unknown', partial: true },
      usd: null,
    })
  })

  test('shows on a terminal how much of a reply has come', async () => {
    const { url } = await serve({ body: streamOf(['all ', 'is well']) })
    let at = 0
    const now = () => {
      at += 200
      return at
    }

    const { stderr } = await ask(url, { columns: 100, clock: { ...quickClock, now } })

    expect(stderr).toContain('step 1 · model: 4 characters · ')
    expect(stderr).toContain('step 1 · model: 11 characters · ')
  })

  test('that refuses the key ends with 4, and the key is nowhere', async () => {
    const { url, received } = await serve(({ headers }) => ({
      status: 401,
      body: { error: { message: `Incorrect key: ${headers.authorization}`, code: 'invalid_api_key' } },
    }))

    const { code, stdout, stderr } = await ask(url, {}, '--json', '--verbose')

    expect(code).toBe(4)
    expect(received).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'E_MODEL_AUTH' } })
    expect(stderr).toMatch(/^error\[E_MODEL_AUTH\] .*Incorrect key/m)
    expect(records()).toContain('Incorrect key')
    for (const text of [stdout, stderr, records()]) expect(text).not.toContain(KEY)
  })

  test('that echoes the key in its answer does not get it printed or kept', async () => {
    const { url } = await serve(({ headers }) => ({ body: streamOf([`you are ${headers.authorization}`]) }))

    const { code, stdout, stderr } = await ask(url)

    expect(code).toBe(0)
    expect(stdout).toMatch(/^you are Bearer \S*(secret|redacted)\S*\n$/)
    for (const text of [stdout, stderr, records()]) expect(text).not.toContain(KEY)
  })

  test('that is not there ends with 4 after a few attempts', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo // it listens on a port, not on a pipe
    await new Promise((resolve) => closed.close(resolve))

    const { code, stdout, stderr } = await ask(`http://127.0.0.1:${port}/v1`)

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(
      stderr.match(/^waiting \d\.\d s for openai:some-model: transport, attempt [23] of at most 5$/gm),
    ).toHaveLength(2)
    expect(stderr).toMatch(/^error\[E_MODEL_TRANSPORT\] .*ECONNREFUSED/m)
  })

  test('that limits its rate is waited for as long as it says, and then asked again', async () => {
    const limited = { status: 429, headers: { 'retry-after': '2' }, body: { error: { message: 'Too many requests' } } }
    const { url, received } = await serve(limited, { body: streamOf(['at last']) })

    const { code, stdout, stderr } = await ask(url)

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'at last\n' })
    expect(received).toHaveLength(2)
    expect(stderr).toMatch(/^waiting 2\.0 s for openai:some-model: rate limit, attempt 2 of at most 5$/m)
  })

  test('that is waited for can be interrupted', async () => {
    const limited = { status: 429, headers: { 'retry-after': '90' }, body: { error: { message: 'Too many requests' } } }
    const { url } = await serve(limited)

    const { code } = await ask(url, {
      onError: (text, send) => {
        if (text.startsWith('waiting 1 min 30 s')) send('SIGINT')
      },
    })

    expect(code).toBe(130)
  })

  test('gets no simulated latency: time is that of the computer', async () => {
    const { url } = await serve({ body: streamOf(['x']) })

    const { trace } = JSON.parse((await ask(url, {}, '--json')).stdout) as { trace: string }

    const first = JSON.parse(readFileSync(trace, 'utf8').split('\n')[0] ?? '') as { at: number }
    expect(Math.abs(first.at - Date.now())).toBeLessThan(60_000)
  })
})

describe('an address that is not quite one', () => {
  const notFound = { status: 404, body: { error: { message: 'no such path' } } }

  test('without a version is proposed with one, when nothing is found there', async () => {
    const { url } = await serve(notFound)

    const { code, stderr, stdout } = await ask(url.replace('/v1', '/'), {}, '--json')

    expect(code).toBe(4)
    expect(stderr).toMatch(new RegExp(`^fix: .*OPENAI_BASE_URL=${url},`, 'm'))
    expect(JSON.parse(stdout)).toMatchObject({ error: { fix: expect.stringContaining(url) } })
  })

  test('that names the path of a request is proposed without it', async () => {
    const { url } = await serve(notFound)

    expect((await ask(`${url}/chat/completions`)).stderr).toMatch(new RegExp(`^fix: .*OPENAI_BASE_URL=${url},`, 'm'))
  })

  test('is not what is wrong when a model is not found, or the address has a version', async () => {
    const { url } = await serve({ status: 404, body: { error: { message: 'no such model', code: 'model_not_found' } } })
    const { url: versioned } = await serve(notFound)

    expect((await ask(url.replace('/v1', ''))).stderr).not.toContain('OPENAI_BASE_URL')
    expect((await ask(versioned)).stderr).not.toContain('OPENAI_BASE_URL')
  })
})

describe('a failure of an endpoint', () => {
  test('that ends in a full stop of its own is told with one', async () => {
    const { url } = await serve({ status: 400, body: { error: { message: 'There is nothing here.' } } })

    expect((await ask(url)).stderr).toMatch(/^error\[E_MODEL_BAD_REQUEST\] .*There is nothing here\.$/m)
  })

  test('is told with how that very failure is mended', async () => {
    const { url } = await serve({ status: 429, body: { error: { message: 'You exceeded your current quota' } } })

    expect((await ask(url)).stderr).toMatch(/^fix: The quota or balance of the account is used up/m)
  })
})

test('a model that is named alone is told, on the first line, to be taken as one of openai', async () => {
  const { url } = await serve({ body: streamOf(['x']) })
  const argv = ['run', '--manifest', 'says.json', 'what?', '--model', 'foo']

  const { stderr } = await box.run(argv, { env: { OPENAI_BASE_URL: url } })

  expect(stderr.split('\n')[0]).toBe(
    `model: openai:foo at ${url}, named by --model, taken as a model of the endpoint "openai"; rng 1`,
  )
})

describe('the package openai', () => {
  const BIN = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
  const TSX = createRequire(import.meta.url).resolve('tsx')

  /** Runs the program, and tells of every module it loads under that name. */
  function loadsOf(argv: readonly string[], env: Record<string, string> = {}) {
    const hooks = `import { writeSync } from 'node:fs'
      export async function resolve(name, context, next) {
        if (name === 'openai') writeSync(2, 'loads openai\\n')
        return next(name, context)
      }`
    const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
    const start = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))})`
    writeFiles(box.root, { 'start.mjs': start })
    const flags = ['--import', TSX, '--import', join(box.root, 'start.mjs'), '--conditions=@harnesswright/source', BIN]
    const { status, stderr } = spawnSync(process.execPath, [...flags, ...argv], {
      env: { PATH: process.env['PATH'], HARNESSWRIGHT_HOME: box.home, ...env },
      cwd: box.root,
      encoding: 'utf8',
    })
    return { status, isLoaded: stderr.includes('loads openai\n') }
  }

  test.each([
    ['is loaded for a request to an endpoint', ['--model', 'openai:m', '--limit', 'ms=600'], 5, true],
    ['is not loaded for a run on a simulated model', [], 4, false],
    ['is not loaded for the version', ['--version'], 0, false],
  ] as const)('%s', (_what, more, status, isLoaded) => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', HARNESSWRIGHT_MODEL: 'sim-mid' }

    expect(loadsOf(['run', '--manifest', 'says.json', 'x', ...more], env)).toEqual({ status, isLoaded })
  })
})
