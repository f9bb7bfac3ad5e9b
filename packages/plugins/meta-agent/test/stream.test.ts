import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namedManifest, type SyntheticTask, syntheticLab, syntheticTasks } from '../bench/synthetic-lab.js'
import {
  Cells,
  chooseEntry,
  clusterDistance,
  curveOf,
  KeptLab,
  type LabChoice,
  type LabRecord,
  plotStream,
  type StreamOptions,
  stream,
  summariseStream,
} from '../src/index.js'

const choiceOf = (name: string): Required<LabChoice> => ({ name, manifest: namedManifest(name) })
const entries = ['good', 'poor'].map(choiceOf)
const tasks = syntheticTasks('stream', { units: 12, kinds: 3, each: 2 })

/** A lab in which one harness is far better than the others, and cheaper. */
const lab = syntheticLab({
  chance: (_kind, name) => ({ good: 1, composed: 0.5 })[name] ?? 0.1,
  usd: (_kind, name) => (name === 'good' ? 0.005 : 0.01),
})

function options(more: Partial<StreamOptions<SyntheticTask>> = {}): StreamOptions<SyntheticTask> {
  return { lab, tasks, entries, orders: 3, rng: 7, seedOf: () => 1, ...more }
}

describe('a stream', () => {
  test('learns which harness is good, and its gain over the static control is shown', async () => {
    const { comparison, clusters, streaming, control } = summariseStream(await stream(options()))

    expect(comparison.verdict).toBe('better')
    expect(streaming.reward).toBeGreaterThan((control.reward ?? 1) + 0.1)
    expect(clusters.map(({ settledOn }) => settledOn.entry)).toEqual(['good', 'good', 'good'])
  })

  test('gains more with a bank that knows it already', async () => {
    const evidence = tasks.flatMap(({ kind }) => {
      const cluster = ['volume=tiny', 'volume=small', 'volume=large'][kind] as string
      return ['good', 'poor', 'composed'].map((entry) => ({
        cluster: `${cluster} goals=few file=no`,
        entry,
        outcome: { reward: entry === 'good' ? 1 : 0.2, usd: 0.01 },
      }))
    })
    const [cold, warm] = [
      summariseStream(await stream(options())),
      summariseStream(await stream(options({ evidence }))),
    ]

    expect(warm.streaming.reward).toBeGreaterThan(cold.streaming.reward ?? 1)
    expect(warm.control).toEqual(cold.control)
  })

  test('is the same at any concurrency, and another with another random seed', async () => {
    const [one, other, next] = [
      await stream(options()),
      await stream(options({ concurrency: 3 })),
      await stream(options({ rng: 8 })),
    ]

    expect(other).toEqual(one)
    expect(next.orders).not.toEqual(one.orders)
  })

  test('does the same tasks in every order, each order another', async () => {
    const { orders } = await stream(options())
    const ids = orders.map((steps) => steps.map(({ task }) => task.id))

    for (const order of ids) expect(order.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted())
    expect(new Set(ids.map((order) => order.join())).size).toBe(3)
  })

  test('that was killed after any run goes on to the same end, and makes no run twice', async () => {
    const whole: LabRecord[] = []
    const expected = await stream(options({ lab: new KeptLab(lab, { keep: (record) => whole.push(record) }) }))
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (kept) => {
        const made: LabRecord[] = []
        const resumed = new KeptLab(lab, { records: whole.slice(0, kept), keep: (record) => made.push(record) })

        expect(await stream(options({ lab: resumed }))).toEqual(expected)
        expect([...whole.slice(0, kept), ...made]).toHaveLength(whole.length)
        expect(resumed.spent.runs).toBe(whole.length)
      }),
      { numRuns: 20 },
    )
  })

  test('ends where its budget is spent, with what was done in pairs', async () => {
    const bounded = new KeptLab(lab, { budget: { tokens: 2_000 } })
    const { status, orders } = await stream(options({ lab: bounded }))

    expect(status).toBe('budget')
    expect(bounded.spent.tokens).toBe(2_000)
    expect(orders.flat().length).toBeGreaterThan(5)
  })

  test('takes a run that the endpoint failed as no evidence', async () => {
    const failing = {
      ...lab,
      run: async (...call: Parameters<typeof lab.run>) => ({ ...(await lab.run(...call)), reward: null }),
    }
    const result = await stream(options({ lab: failing }))

    expect(summariseStream(result)).toMatchObject({ measured: 0, comparison: { verdict: 'not shown' } })
    expect(result.orders.flat().every(({ choice }) => choice.why === 'default')).toBe(true)
  })

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController()
    const ended = stream(options({ signal: stop.signal, onStep: () => stop.abort(new Error('enough')) }))

    await expect(ended).rejects.toThrow('enough')
  })
})

describe('cumulative curves', () => {
  test('end at the sums of an order, and none of them leaves its band', async () => {
    const result = await stream(options())
    const { mean, least, most } = curveOf(result, 'outcome', 'reward')
    const sums = result.orders.map((steps) => steps.reduce((sum, { outcome }) => sum + (outcome.reward ?? 0), 0))

    expect(mean.at(-1)).toBeCloseTo(sums.reduce((sum, one) => sum + one, 0) / sums.length, 9)
    expect([least.at(-1), most.at(-1)]).toEqual([Math.min(...sums), Math.max(...sums)])
    expect(mean).toHaveLength(tasks.length)
  })

  test('are drawn as an SVG document in which texts of others are escaped', async () => {
    const texts = { title: 'A <b> & "c"', subtitle: 'twelve\u0007', note: 'on made-up rewards' }
    const svg = plotStream(await stream(options()), texts)

    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
    expect(svg).toContain('A &lt;b&gt; &amp; &quot;c&quot;')
    expect(svg).not.toMatch(/NaN|Infinity|undefined|(?!\n)\p{Cc}|<script|href/u)
    expect(svg.match(/<polyline/g)).toHaveLength(7)
  })
})

describe('a choice', () => {
  const cluster = 'volume=tiny goals=few file=no'
  const sure = { next: () => 0.999 }

  test('is the first entry where nothing is known', () => {
    expect(chooseEntry(cluster, ['composed', 'a'], { cells: new Cells(), random: sure })).toEqual({
      entry: 'composed',
      why: 'default',
    })
  })

  test('goes by the nearest kind of task where nothing is known of its own', () => {
    const known = [
      ...Array.from({ length: 9 }, () => ({
        cluster: 'volume=small goals=few file=no',
        entry: 'a',
        outcome: { reward: 1, usd: 1 },
      })),
      ...Array.from({ length: 9 }, () => ({
        cluster: 'volume=huge goals=many file=no',
        entry: 'b',
        outcome: { reward: 1, usd: 1 },
      })),
    ]

    expect(chooseEntry(cluster, ['composed', 'a', 'b'], { cells: new Cells(known), random: sure }).entry).toBe('a')
  })

  test('of two harnesses that are as good is the cheaper one', () => {
    const known = ['dear', 'cheap', 'fair'].flatMap((entry, index) =>
      Array.from({ length: 6 }, () => ({ cluster, entry, outcome: { reward: 1, usd: [4, 1, 2][index] as number } })),
    )

    expect(
      chooseEntry(cluster, ['composed', 'dear', 'cheap', 'fair'], { cells: new Cells(known), random: sure }),
    ).toMatchObject({
      entry: 'cheap',
      why: 'exploit',
    })
  })

  test('explores only where reward is missing', () => {
    const known = (reward: number) =>
      Array.from({ length: 50 }, () => ({ cluster, entry: 'a', outcome: { reward, usd: 1 } }))
    const dice = { next: () => 0.3 }
    const whyOf = (reward: number) =>
      chooseEntry(cluster, ['a', 'b'], { cells: new Cells(known(reward)), random: dice }).why

    expect(whyOf(1)).toBe('exploit')
    expect(whyOf(0.4)).toBe('explore')
  })

  test('never depends on the order in which evidence came', () => {
    const one = fc.record({
      cluster: fc.constantFrom(cluster, 'volume=huge goals=few file=no'),
      entry: fc.constantFrom('composed', 'a', 'b'),
      outcome: fc.record({ reward: fc.constantFrom(0, 1), usd: fc.constantFrom(1, 2) }),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (evidence) => {
        const choose = (known: typeof evidence) =>
          chooseEntry(cluster, ['composed', 'a', 'b'], { cells: new Cells(known), random: sure })

        expect(choose(evidence.toReversed()).entry).toBe(choose(evidence).entry)
      }),
    )
  })
})

test('clusters are nearer the fewer buckets they differ in, and no other than themselves at a distance of 0', () => {
  const [tiny, small, huge] = ['tiny', 'small', 'huge'].map((volume) => `volume=${volume} goals=few file=no`) as [
    string,
    string,
    string,
  ]

  expect(clusterDistance(tiny, tiny)).toBe(0)
  expect(clusterDistance(tiny, small)).toBeLessThan(clusterDistance(tiny, huge))
  expect(clusterDistance(tiny, huge)).toBe(clusterDistance(huge, tiny))
})
