import { describe, expect, test } from 'vitest'
import { createSimModel, type SimProfile } from '../src/index.js'
import { type BenchResult, type Loop, runBench } from './bench.js'
import { anIdealModel } from './conversation.js'
import { runDecomposed, runDelegated, runJudged, type TeamResult } from './teams.js'
import { generateTask } from './worlds.js'

const RNGS = Array.from({ length: 10 }, (_, index) => index + 1)
const CLASSES = [
  'quotes:small',
  'quotes:large',
  'long-log:small',
  'long-log:large',
  'lookup-chain:small',
  'lookup-chain:large',
  'wide-search:small',
  'wide-search:large',
] as const

describe('a model without limits', { timeout: 60_000 }, () => {
  test.each(CLASSES)('solves %s for every rng: reader and world understand each other', async (world) => {
    for (const rng of world === 'long-log:large' ? RNGS.slice(0, 4) : RNGS) {
      const { detail, passed } = await runBench({ world, rng, model: anIdealModel() })
      expect([rng, passed, detail]).toEqual([rng, true, detail])
    }
  })

  test.each(CLASSES)('solves %s with a plan and a directive that names its goals together', async (world) => {
    for (const rng of RNGS.slice(0, 4)) {
      const { passed } = await runBench({
        world,
        rng,
        model: anIdealModel(),
        loop: { plan: 'together', isParallel: true },
      })
      expect(passed).toBe(true)
    }
  })
})

describe('what one run of a model without limits says, another one understands', { timeout: 60_000 }, () => {
  test.each(CLASSES)('in %s: subtasks and their results, delegations, candidates and folds', async (world) => {
    for (const rng of RNGS.slice(0, world.endsWith('large') ? 1 : 3)) {
      const options = { world, rng, model: anIdealModel() }
      const teams = [
        await runDecomposed(options),
        await runDelegated(options, true),
        await runDelegated(options, false),
        await runJudged(options, 2),
        await runBench({ ...options, loop: { memory: 'fold', isParallel: true } }),
      ]
      expect(teams.map(({ detail, passed }) => [rng, passed, detail])).toEqual(
        teams.map(({ detail }) => [rng, true, detail]),
      )
    }
  })
})

describe('answers follow files that were altered after the task was generated', { timeout: 60_000 }, () => {
  test('a price of an approved supplier in quotes, in 10 of 10, whatever the format of the list', async () => {
    for (const rng of RNGS) {
      const { text: order = '' } = generateTask('quotes:large', { rng }).task.files?.[0] ?? {}
      const supplier = /suppliers: (\w+)/.exec(order)?.[1] ?? ''
      const item = /^1\. \d+ pieces of (.*)$/m.exec(order)?.[1] ?? ''
      const result = await runBench({
        world: 'quotes:large',
        rng,
        model: anIdealModel(),
        alter: cheapen(supplier, item),
      })

      expect(lineOf(result, item)).toMatchObject({ supplier, unitPrice: 0.01 })
      expect(result.passed).toBe(false)
    }
  })

  test('the pieces of an order line in quotes, in 10 of 10', async () => {
    for (const rng of RNGS) {
      const alter = (_path: string, text: string): string => text.replace(/^1\. \d+ pieces/m, '1. 777 pieces')
      const result = await runBench({ world: 'quotes:small', rng, model: anIdealModel(), alter })
      const item = /^1\. 777 pieces of (.*)$/m.exec(result.files.get('order.txt') ?? '')?.[1] ?? ''
      const { unitPrice, total } = lineOf(result, item) as { unitPrice: number; total: number }

      expect(total).toBeCloseTo(777 * unitPrice, 6)
    }
  })

  test('the minutes of every incident in long-log, in 10 of 10', async () => {
    for (const rng of RNGS) {
      const alter = (_path: string, text: string): string =>
        text.replace(/still for \d+ minutes/g, 'still for 999 minutes')
      const { answer = '', passed } = await runBench({ world: 'long-log:small', rng, model: anIdealModel(), alter })
      const { incidents } = JSON.parse(answer) as { incidents: { minutes: number }[] }

      expect(new Set(incidents.map((incident) => incident.minutes))).toEqual(new Set([999]))
      expect(passed).toBe(false)
    }
  })

  test('the badges in lookup-chain, and whom the cards name, in 10 of 10', async () => {
    for (const rng of RNGS) {
      const { task } = generateTask('lookup-chain:large', { rng })
      const [first = '', card = ''] = (task.files ?? []).map(({ path }) => path)
      const badges = await runBench({
        world: 'lookup-chain:large',
        rng,
        model: anIdealModel(),
        alter: (path, text) => text.replace(/B-\d{5}/, path === first ? 'B-10001' : 'B-10002'),
      })
      const people = await runBench({
        world: 'lookup-chain:large',
        rng,
        model: anIdealModel(),
        alter: (_path, text) =>
          text.replace(/comes .* \(.*\)\./, `comes Zed Last (${card}).`).replace(/^Card of .*,/, 'Card of Zed Last,'),
      })

      expect(badges.answer).toMatch(/B-1000[12]\.$/)
      expect(badges.passed).toBe(false)
      expect(people.passed).toBe(false)
    }
  })

  test('the heights in wide-search, on pages and on sheets, in 10 of 10', async () => {
    for (const rng of RNGS) {
      const alter = (_path: string, text: string): string =>
        text.replace(/(The height of \w+ is|Survey sheet \d+ gives) \d+ m/g, '$1 777 m')
      const { answer = '', passed } = await runBench({ world: 'wide-search:large', rng, model: anIdealModel(), alter })
      const { heights } = JSON.parse(answer) as { heights: Record<string, number> }

      expect(new Set(Object.values(heights))).toEqual(new Set([777]))
      expect(Object.keys(heights).length).toBeGreaterThanOrEqual(12)
      expect(passed).toBe(false)
    }
  })

  test('an incident that was not there before is found on sim-frontier too', async () => {
    const alter = (path: string, text: string): string =>
      path === 'log/part-01.txt'
        ? text.replace('\n', '\n00:00 incident I-999: press 9 stood still for 8 minutes\n')
        : text
    const { answer = '' } = await runBench({
      world: 'long-log:small',
      rng: 1,
      model: createSimModel({ profile: 'sim-frontier' }),
      alter,
    })

    expect(answer).toContain('{"id":"I-999","machine":"press 9","minutes":8}')
  })
})

describe('the effects that the worlds are for', { timeout: 60_000 }, () => {
  test('react exceeds the window on large logs of every profile', async () => {
    for (const profile of ['sim-frontier', 'sim-mid', 'sim-small'] as const) {
      const results = await bench({ profile, world: 'long-log:large', loop: {} })
      expect(results.filter((result) => result.overflowed).length).toBeGreaterThanOrEqual(8)
      expect(mean(results, 'reward')).toBeLessThanOrEqual(0.1)
    }
  })

  test('forgetting observations helps on large logs, and restarting from a summary helps more', async () => {
    const window = mean(
      await bench({ profile: 'sim-mid', world: 'long-log:large', loop: { memory: 'window' } }),
      'reward',
    )
    const summary = mean(
      await bench({ profile: 'sim-mid', world: 'long-log:large', loop: { memory: 'summary' } }),
      'reward',
    )

    expect(window).toBeGreaterThanOrEqual(0.2)
    expect(summary - window).toBeGreaterThanOrEqual(0.05)
  })

  test('on small tasks the simplest loop is within reach of any other, and the cheapest that is serial', async () => {
    for (const world of CLASSES.filter((name) => name.endsWith('small'))) {
      const simple = await bench({ profile: 'sim-frontier', world, loop: {} })
      const planned = await bench({ profile: 'sim-frontier', world, loop: { plan: 'linear' } })
      expect(mean(simple, 'reward')).toBeGreaterThanOrEqual(mean(planned, 'reward') - 0.03)
      expect(mean(simple, 'usd')).toBeLessThan(mean(planned, 'usd'))
    }
  })

  test('who plans all reading before the order is read pays for lists that it rules out', async () => {
    const loop = { plan: 'together', isParallel: true } as const
    const react = await bench({ profile: 'sim-frontier', world: 'quotes:large', loop: {} })
    const flash = await bench({ profile: 'sim-frontier', world: 'quotes:large', loop })

    expect(mean(react, 'usd') / mean(flash, 'usd')).toBeLessThanOrEqual(0.85)
  })

  test('a plan in view helps where there are more goals than the horizon holds', async () => {
    const rngs = 30
    const react = await bench({ profile: 'sim-small', world: 'quotes:large', loop: {}, rngs })
    const planned = await bench({ profile: 'sim-small', world: 'quotes:large', loop: { plan: 'linear' }, rngs })

    expect(mean(planned, 'reward') - mean(react, 'reward')).toBeGreaterThan(0.05)
  })

  test('a plan in view keeps a small model from losing its way in a chain', async () => {
    const rngs = 30
    const react = await bench({ profile: 'sim-small', world: 'lookup-chain:large', loop: {}, rngs })
    const planned = await bench({ profile: 'sim-small', world: 'lookup-chain:large', loop: { plan: 'linear' }, rngs })

    expect(mean(planned, 'reward') - mean(react, 'reward')).toBeGreaterThanOrEqual(0.3)
  })

  test('where nothing is lost a plan for a chain only costs', async () => {
    const react = await bench({ profile: 'sim-frontier', world: 'lookup-chain:large', loop: {} })
    const planned = await bench({ profile: 'sim-frontier', world: 'lookup-chain:large', loop: { plan: 'linear' } })

    expect(Math.abs(mean(planned, 'reward') - mean(react, 'reward'))).toBeLessThanOrEqual(0.1)
    expect(mean(planned, 'usd') / mean(react, 'usd')).toBeGreaterThanOrEqual(1.2)
  })

  test('searches that are made together take less time, and omit less', async () => {
    const loop = { plan: 'together', isParallel: true } as const
    const react = await bench({ profile: 'sim-mid', world: 'wide-search:large', loop: {} })
    const flash = await bench({ profile: 'sim-mid', world: 'wide-search:large', loop })

    expect(mean(flash, 'ms') / mean(react, 'ms')).toBeLessThanOrEqual(0.65)
    expect(mean(flash, 'reward')).toBeGreaterThan(mean(react, 'reward'))
  })

  test('several runs find what one omits, at the price of several', async () => {
    const options = {
      profile: 'sim-small',
      world: 'wide-search:large',
      loop: { memory: 'window', isParallel: true },
    } as const
    const one = await bench(options)
    const four = []
    for (const rng of RNGS) {
      const { profile, world, loop } = options
      four.push(await runJudged({ world, rng, loop, model: createSimModel({ profile }) }, 4))
    }

    expect(mean(four, 'reward') - mean(one, 'reward')).toBeGreaterThanOrEqual(0.15)
    expect(mean(four, 'usd') / mean(one, 'usd')).toBeGreaterThanOrEqual(3)
  })

  test('a model that folds its own history gets through a log that is far larger than its window', async () => {
    const folded = await bench({
      profile: 'sim-mid',
      world: 'long-log:large',
      loop: { memory: 'fold', isParallel: true },
    })

    expect(mean(folded, 'reward')).toBeGreaterThanOrEqual(0.55)
    expect(folded.some(({ overflowed }) => overflowed)).toBe(false)
  })

  test('with all faults at high rates every loop still ends', async () => {
    for (const world of CLASSES) {
      for (const result of await bench({
        profile: 'sim-chaos',
        world,
        loop: { plan: 'linear', memory: 'window' },
        rngs: 4,
      })) {
        expect(result.reward).toBeGreaterThanOrEqual(0)
      }
    }
  })
})

describe('determinism', { timeout: 60_000 }, () => {
  test('a run is the same in a second engine, and beside others on one engine in any order', async () => {
    const shared = createSimModel({ profile: 'sim-chaos' })
    const options = RNGS.map((rng) => ({
      world: 'quotes:large',
      rng,
      loop: { plan: 'linear', isParallel: true } as const,
    }))
    const alone = await Promise.all(
      options.map((one) => runBench({ ...one, model: createSimModel({ profile: 'sim-chaos' }) })),
    )
    const together = await Promise.all(options.toReversed().map((one) => runBench({ ...one, model: shared })))

    expect(together.toReversed()).toEqual(alone)
  })
})

interface Cell {
  readonly profile: SimProfile
  readonly world: string
  readonly loop: Loop
  readonly rngs?: number
}

async function bench({ profile, world, loop, rngs = 10 }: Cell): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = []
  for (let rng = 1; rng <= rngs; rng++)
    results.push(await runBench({ world, rng, loop, model: createSimModel({ profile }) }))
  return results
}

function mean(results: readonly TeamResult[], key: 'reward' | 'usd' | 'ms'): number {
  return results.reduce((sum, result) => sum + result[key], 0) / results.length
}

/** Makes an item of a supplier's list cost one cent. */
function cheapen(supplier: string, item: string): (path: string, text: string) => string {
  return (path, text) => {
    if (!path.startsWith(`lists/${supplier.toLowerCase()}.`)) return text
    const price = path.endsWith('.json') ? '1' : '0.01'
    return text.replace(new RegExp(`(${item}[^\\d\\n]*)[\\d.]*\\d`), (_whole, before: string) => `${before}${price}`)
  }
}

function lineOf({ files }: BenchResult, item: string): object | undefined {
  const quote = JSON.parse(files.get('answer.json') ?? '{"lines":[]}') as { lines: { item: string }[] }
  return quote.lines.find((line) => line.item === item)
}
