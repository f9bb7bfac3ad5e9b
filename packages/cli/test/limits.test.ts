import { type SimServer, serveSim } from '@harnesswright/plugin-model-sim'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles, writeProject } from './fixture-project.js'
import { type ChatServer, serveChat, streamOf } from './support/chat-server.js'
import { quickerClock } from './support/quick-clock.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

/** A run of the seed react on a small world, with limits. */
const runWithin = (limit: string) =>
  box.run(['run', '--world', 'quotes', '--rng', '7', '--seed', 'react', '--json', '--limit', limit])

const ADVICE = /^warning: the limit (tokens|usd)=\S+ lets no request through, as the first needs \1=([\d.]+)\. /m

describe('a limit that lets no request through', { timeout: 30_000 }, () => {
  test.each([
    ['tokens', 'tokens=100', 1],
    ['usd', 'usd=0.0001', 1e-6],
  ])('of %s is told with the least that does, and with that there is a first request', async (name, limit, part) => {
    const held = await runWithin(limit)
    const least = Number(ADVICE.exec(held.stderr)?.[2])
    const [enough, tooLittle] = [
      await runWithin(`${name}=${least}`),
      await runWithin(`${name}=${Number((least - part).toFixed(6))}`),
    ]

    expect(held.code).toBe(5)
    expect(JSON.parse(held.stdout)).toMatchObject({
      status: 'limit',
      reason: name,
      modelCalls: 0,
      warnings: [expect.stringContaining(`needs ${name}=${least}`)],
    })
    expect((JSON.parse(enough.stdout) as { modelCalls: number }).modelCalls).toBeGreaterThan(0)
    expect(enough.stderr).not.toMatch(ADVICE)
    expect(tooLittle.stderr).toMatch(ADVICE)
  })

  test('is told from one that ends a run later, which gets no such advice', async () => {
    expect((await runWithin('tokens=12000')).stderr).not.toMatch(ADVICE)
    expect((await runWithin('steps=1')).stderr).not.toMatch(ADVICE)
  })
})

/** What `--json` says of what was spent. */
interface Spent {
  readonly status: string
  readonly reason: string | null
  readonly usd: number | null
  readonly ms: number
  readonly usage: { readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number }
  readonly warnings: readonly string[]
}

describe('money at an endpoint on this computer', () => {
  const PRICE = { input: 2, cached: 0.5, output: 8, source: 'a page', date: '2026-01-31' }
  let sim: SimServer
  beforeAll(async () => {
    sim = await serveSim()
  })
  afterAll(() => sim.close())

  /** A run on a model with so many times the price, and no price for nought. */
  async function runPriced(times: number, more: readonly string[] = [], defaults: object = {}) {
    const price = { ...PRICE, input: PRICE.input * times, cached: PRICE.cached * times, output: PRICE.output * times }
    const models = { 'openai:sim-mid': times === 0 ? {} : { price } }
    writeFiles(box.root, { 'harnesswright.config.json': JSON.stringify({ models, defaults }) })
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--json', '--model', 'openai:sim-mid', ...more]
    const { code, stdout, stderr } = await box.run(argv, { env: { OPENAI_BASE_URL: sim.url } })
    return { code, stderr, ...(JSON.parse(stdout) as Spent) }
  }

  test('costs what its price says of the tokens that were counted, and time is that of the computer', async () => {
    const { code, usd, usage, ms } = await runPriced(1)

    expect(code).toBe(0)
    expect(usd).toBeCloseTo((usage.inputTokens * PRICE.input + usage.outputTokens * PRICE.output) / 1e6, 9)
    expect(usd).toBeGreaterThan(0)
    expect(ms).toBeGreaterThan(0)
  })

  test('costs less for tokens of the cache', async () => {
    const usage = { prompt_tokens: 1_000, prompt_tokens_details: { cached_tokens: 400 }, completion_tokens: 50 }
    const server = await serveChat([{ body: streamOf(['x'], usage) }])
    writeProject(box.root)
    writeFiles(box.root, { 'harnesswright.config.json': JSON.stringify({ models: { 'openai:m': { price: PRICE } } }) })

    const argv = ['run', '--manifest', 'says.json', 'what is this?', '--model', 'openai:m', '--json']
    const { stdout } = await box.run(argv, { env: { OPENAI_BASE_URL: server.url } })
    await server.close()

    expect((JSON.parse(stdout) as Spent).usd).toBeCloseTo((600 * 2 + 400 * 0.5 + 50 * 8) / 1e6, 9)
  })

  test('is bounded by usd=0.50 where no limit is given, which is said', async () => {
    const { code, stderr, status, reason, usd } = await runPriced(50)

    expect({ code, status, reason }).toEqual({ code: 5, status: 'limit', reason: 'usd' })
    expect(usd).toBeGreaterThan(0)
    expect(usd).toBeLessThanOrEqual(0.5)
    expect(stderr).toMatch(/^limit: usd=0\.50, as the model has a price and no other is given$/m)
  })

  test('is bounded by --limit usd= over that of the configuration over the usual one', async () => {
    const ofConfig = await runPriced(50, [], { limits: { usd: 0.25 } })
    const ofOption = await runPriced(50, ['--limit', 'usd=9'], { limits: { usd: 0.25 } })

    expect(ofConfig).toMatchObject({ code: 5, reason: 'usd' })
    expect(ofConfig.usd).toBeLessThanOrEqual(0.25)
    expect(ofOption).toMatchObject({ code: 0, status: 'answered' })
    expect(ofOption.usd).toBeGreaterThan(0.5)
    for (const { stderr } of [ofConfig, ofOption]) expect(stderr).not.toContain('limit: ')
  })

  test('is not bounded where no price is known: the limit is warned of, with how a price is given', async () => {
    const { code, stderr, usd, warnings } = await runPriced(0, ['--limit', 'usd=0.000001'])

    expect({ code, usd }).toEqual({ code: 0, usd: null })
    expect(stderr).toMatch(/^warning: .*limit of money/m)
    expect(stderr).toMatch(/^limit: .*"models" of the configuration/m)
    expect(warnings).toEqual([expect.stringContaining('limit of money')])
    expect((await runPriced(0)).stderr).not.toMatch(/limit of money|^limit: /m)
  })
})

describe('the rate of a model', () => {
  test('is kept: what is above waits for its turn, and --json sums up how long', async () => {
    const sim = await serveSim()
    const patience = { idleMs: 3_600_000, connectMs: 3_600_000, firstByteMs: 3_600_000 }
    const runAt = async (rate: object) => {
      const models = { 'openai:sim-mid': { ...patience, ...rate } }
      writeFiles(box.root, { 'harnesswright.config.json': JSON.stringify({ models }) })
      const argv = ['run', '--world', 'quotes', '--rng', '7', '--json', '--model', 'openai:sim-mid']
      const { stdout } = await box.run(argv, { env: { OPENAI_BASE_URL: sim.url }, clock: quickerClock(200) })
      return JSON.parse(stdout) as { status: string; modelCalls: number; queuedMs: number }
    }
    try {
      const free = await runAt({})
      const bound = await runAt({ requestsPerMinute: free.modelCalls - 1 })

      expect(free).toMatchObject({ status: 'answered', queuedMs: 0 })
      expect(bound).toMatchObject({ status: 'answered', modelCalls: free.modelCalls })
      expect(bound.queuedMs).toBeGreaterThan(1_000)
      expect(bound.queuedMs).toBeLessThan(120_000)
    } finally {
      await sim.close()
    }
  })
})

describe('time at an endpoint on this computer', () => {
  const servers: ChatServer[] = []
  beforeEach(() => writeProject(box.root))
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  async function runAt(answers: Parameters<typeof serveChat>[0], limit: string) {
    const server = await serveChat(answers)
    servers.push(server)
    const argv = ['run', '--manifest', 'says.json', 'what is this?', '--model', 'openai:m', '--json', '--limit', limit]
    const { code, stdout } = await box.run(argv, { env: { OPENAI_BASE_URL: server.url } })
    return { code, requests: server.received.length, ...(JSON.parse(stdout) as Spent) }
  }

  test('ends a run that waits for a reply which does not come, and what it took is reported', async () => {
    const run = await runAt([{ isSilent: true, body: {} }], 'ms=700')

    expect(run).toMatchObject({ code: 5, status: 'limit', reason: 'ms', requests: 1 })
    expect(run.ms).toBeGreaterThanOrEqual(700)
    expect(run.ms).toBeLessThan(5_000)
  })

  test('ends a run that waits before another attempt', async () => {
    const busy = { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'Too many requests' } } }
    const run = await runAt([busy], 'ms=700')

    expect(run).toMatchObject({ code: 5, status: 'limit', reason: 'ms', requests: 1 })
    expect(run.ms).toBeLessThan(5_000)
  })

  test('does not end a run that is quick enough', async () => {
    expect(await runAt([{ body: streamOf(['x']) }], 'ms=60000')).toMatchObject({ code: 0, reason: null })
  })
})
