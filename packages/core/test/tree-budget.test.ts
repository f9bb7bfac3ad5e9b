import { chargedBelow, utf8Length } from '@harnesswright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createEnvironment,
  HarnessError,
  type HarnessEvent,
  type JournalEntry,
  type Limits,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Run,
  type RunRecord,
  type Snapshot,
} from '../src/index.js'
import { assembleModules, createVirtualClock } from '../src/testkit/index.js'
import { aPlugin } from './one-run.js'
import { obedientModel, type PlannedRun, plannedModules, plannedRun, plannedTools } from './random-tree.js'

const PRICE = { input: 3, output: 15, source: 'of a test', date: '2026-01-01' }

/** How an endpoint behaves that never uses more than it says it may. */
interface Endpoint {
  /** Shares of a request's bytes and of its `maxTokens` that it uses. */
  readonly input: number
  readonly output: number
  /** Every so many replies do not say what they used, and every so many requests fail. */
  readonly silentEvery: number
  readonly failsEvery: number
}

/** What is used by requests that were answered, and at most by those under way, counted beside the kernel. */
function ledger(limits: Pick<Limits, 'tokens' | 'usd'>) {
  const used = { tokens: 0, usd: 0, known: 0 }
  const open = new Set<{ readonly tokens: number; readonly usd: number }>()
  const worst = { tokens: 0, usd: 0, atOnce: 0 }
  const look = (): void => {
    const [tokens, usd] = [...open].reduce<[number, number]>(
      (sum, one) => [sum[0] + one.tokens, sum[1] + one.usd],
      [used.tokens, used.usd],
    )
    worst.tokens = Math.max(worst.tokens, tokens / limits.tokens)
    worst.usd = Math.max(worst.usd, usd / limits.usd)
    worst.atOnce = Math.max(worst.atOnce, open.size)
  }
  return { used, open, worst, look }
}

function honestModel(endpoint: Endpoint, { used, open, look }: ReturnType<typeof ledger>): Model {
  const obedient = obedientModel()
  let requests = 0
  const costOf = (input: number, output: number): number => (input * PRICE.input + output * PRICE.output) / 1e6
  return {
    ...obedient,
    price: PRICE,
    async generate(request: ModelRequest, options): Promise<ModelResponse> {
      const at = ++requests
      const bytes = request.messages.reduce((sum, { content }) => sum + utf8Length(String(content)), 0)
      const most = {
        tokens: bytes + (request.maxTokens ?? Number.NaN),
        usd: costOf(bytes, request.maxTokens ?? Number.NaN),
      }
      open.add(most)
      look()
      await new Promise((resolve) => setImmediate(resolve))
      const response = await obedient.generate(request, options)
      open.delete(most)
      if (at % endpoint.failsEvery === 0) throw new HarnessError('E_MODEL_TRANSPORT', { message: 'the line is cut' })
      const inputTokens = Math.floor(bytes * endpoint.input)
      const outputTokens = Math.floor((request.maxTokens ?? 0) * endpoint.output)
      const isSilent = at % endpoint.silentEvery === 0
      used.tokens += isSilent ? most.tokens : inputTokens + outputTokens
      used.usd += isSilent ? most.usd : costOf(inputTokens, outputTokens)
      used.known += isSilent ? 0 : inputTokens + outputTokens
      look()
      const usage = { inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0, source: 'known' as const }
      const { usage: _estimated, ...said } = response
      return isSilent ? said : { ...said, usage }
    },
  }
}

/** Asks the model three times at once in every second step; what does not fit any more is left out. */
const greedy = aPlugin({
  async record(step, ctx) {
    if (step.index % 2 === 0) return
    const ask = (topic: string) =>
      ctx
        .model({ purpose: 'review', messages: [{ role: 'user', content: `${topic} `.repeat(20) }], maxTokens: 100 })
        .catch((error) => {
          if (!String(error).includes('limit') && !String(error).includes('line is cut')) throw error
        })
    await Promise.all(['one', 'two', 'three'].map(ask))
  },
})

const endpoint = fc.record({
  input: fc.double({ min: 0.1, max: 1, noNaN: true }),
  output: fc.double({ min: 0, max: 1, noNaN: true }),
  silentEvery: fc.integer({ min: 2, max: 9 }),
  failsEvery: fc.integer({ min: 3, max: 12 }),
})
const limits = fc.record({
  tokens: fc.integer({ min: 300, max: 30_000 }),
  usd: fc.double({ min: 0.002, max: 0.2, noNaN: true }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  toolCalls: fc.integer({ min: 4, max: 40 }),
  reserve: fc.constantFrom(0, 0.05, 0.3),
})
/** Runs that begin with child runs. */
const trees = fc
  .tuple(plannedRun(1, 3), fc.array(plannedRun(1, 2), { minLength: 2, maxLength: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([plan, runs, concurrency]): PlannedRun => {
    const first = { kind: 'spawn', runs, calls: [], concurrency, delegated: false } as const
    return { ...plan, steps: [first, ...plan.steps] }
  })

type Host = typeof limits extends fc.Arbitrary<infer T> ? T : never

interface Spending {
  readonly plan: PlannedRun
  readonly host: Host
  readonly behaviour: Endpoint
  readonly seed?: number
  /** What the run goes on from. */
  readonly from?: Snapshot
  /** The point at which a snapshot is kept. */
  readonly keepAt?: number
}

/** A run that spends, or goes on with one that has spent already. */
async function spend({ plan, host, behaviour, seed = 1, from, keepAt }: Spending) {
  const book = ledger(host)
  const leases: { readonly path: string; readonly given: Readonly<Record<string, Partial<Limits>>> }[] = []
  let kept: { readonly snapshot: Snapshot | undefined; readonly used: number } | undefined
  let entries = 0
  let run: Run | undefined
  const env = createEnvironment({
    model: honestModel(behaviour, book),
    tools: plannedTools(),
    clock: createVirtualClock(),
    budget: 'strict',
    strict: true,
    limits: host,
    observe: (_event: HarnessEvent) => book.look(),
    journal: {
      append({ path, effect }: JournalEntry) {
        if (entries++ === keepAt) kept = { snapshot: run?.snapshot(), used: book.used.tokens }
        if (effect?.leases !== undefined) leases.push({ path, given: effect.leases })
      },
    },
  })
  const { plugins = [], ...modules } = plannedModules(plan)
  const harness = await assembleModules({ ...modules, plugins: [...plugins, greedy] }, env)
  run = from === undefined ? harness.run('Do as planned.', { seed }) : await harness.resume(from)
  const result = await run.result
  return { result, runs: run.snapshot().runs as Readonly<Record<string, RunRecord>>, book, leases, kept, entries }
}

describe('what a tree of runs uses, and may still use for requests that are under way', () => {
  const seen = { limits: 0, atOnce: 0, near: 0, children: 0 }

  test('is at every event within the limits of its root, whatever its runs do at once and whatever fails', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(trees, limits, endpoint, fc.nat(1e6), async (plan, host, behaviour, seed) => {
      const { result, runs, book, leases } = await spend({ plan, host, behaviour, seed })
      expect(book.worst.tokens).toBeLessThanOrEqual(1)
      expect(book.worst.usd).toBeLessThanOrEqual(1)
      expect(book.open.size).toBe(0)
      expect(result.spent.tokens).toBe(book.used.known)
      const [durable] = chargedBelow(runs as Record<string, RunRecord>, '')
      expect(durable.tokens).toBeGreaterThanOrEqual(book.used.tokens) // silent replies too, as they were reserved
      expect(result.spent.toolCalls).toBeLessThanOrEqual(host.toolCalls)
      for (const [path, { opening }] of Object.entries(runs)) {
        const [charged, toolCalls] = chargedBelow(runs as Record<string, RunRecord>, path)
        expect(charged.tokens).toBeLessThanOrEqual(opening.limits.tokens ?? Number.NaN)
        expect(charged.usd).toBeLessThanOrEqual((opening.limits.usd ?? Number.NaN) + 1e-12)
        expect(toolCalls).toBeLessThanOrEqual(opening.limits.toolCalls ?? Number.NaN)
      }
      for (const { path, given } of leases) {
        const sum = (name: 'tokens' | 'usd' | 'toolCalls'): number =>
          Object.values(given).reduce((total, lease) => total + (lease[name] ?? Number.NaN), 0)
        const { limits: own } = (runs[path] as RunRecord).opening
        expect(sum('tokens')).toBeLessThanOrEqual((own.tokens ?? Number.NaN) * (1 - host.reserve) + 1e-9)
        expect(sum('usd')).toBeLessThanOrEqual((own.usd ?? Number.NaN) * (1 - host.reserve) + 1e-9)
        expect(sum('toolCalls')).toBeLessThanOrEqual(own.toolCalls ?? Number.NaN)
      }
      seen.limits += result.status === 'limit' ? 1 : 0
      seen.atOnce = Math.max(seen.atOnce, book.worst.atOnce)
      seen.near = Math.max(seen.near, book.worst.tokens)
      seen.children += Object.keys(runs).length - 1
    })
    await fc.assert(property, { numRuns: 30, seed: 1 }) // enough of everything, as the next test says
    await fc.assert(property, { numRuns: 20 })
  })

  test('was put to the test: limits were met, requests were under way at once, and nearly all was used', () => {
    expect(seen.limits).toBeGreaterThan(10)
    expect(seen.children).toBeGreaterThan(50)
    expect(seen.atOnce).toBeGreaterThan(2)
    expect(seen.near).toBeGreaterThan(0.75)
  })

  test('counts when the tree goes on in another process: what was spent before is not there to be spent again', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(trees, limits, endpoint, fc.nat(), async (plan, host, behaviour, at) => {
      const { entries } = await spend({ plan, host, behaviour })
      const { kept } = await spend({ plan, host, behaviour, keepAt: at % entries })
      const from = JSON.parse(JSON.stringify(kept?.snapshot)) as Snapshot
      const { book, result } = await spend({ plan, host, behaviour, from })
      expect((kept?.used ?? Number.NaN) + book.worst.tokens * host.tokens).toBeLessThanOrEqual(host.tokens + 1e-6)
      expect(result.spent.tokens).toBeLessThanOrEqual(host.tokens)
    })
    await fc.assert(property, { numRuns: 25 })
  })
})
