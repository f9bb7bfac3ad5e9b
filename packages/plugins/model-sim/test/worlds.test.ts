import { describe, expect, test } from 'vitest'
import { createSimModel, type SimProfile } from '../src/index.js'
import { type BenchResult, type Loop, runBench } from './bench.js'
import { anIdealModel } from './conversation.js'
import { generateTask } from './worlds.js'

const RNGS = Array.from({ length: 10 }, (_, index) => index + 1)
const CLASSES = ['quotes:small', 'quotes:large', 'long-log:small', 'long-log:large'] as const

describe('a model without limits', () => {
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

describe('answers follow files that were altered after the task was generated', () => {
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

describe('the effects that the worlds are for', () => {
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
    for (const world of ['quotes:small', 'long-log:small']) {
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

describe('determinism', () => {
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

function mean(results: readonly BenchResult[], key: 'reward' | 'usd'): number {
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
