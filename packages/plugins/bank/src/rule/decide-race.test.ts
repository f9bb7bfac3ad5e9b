import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideBatch } from './decide-batch.js'
import { decideRace } from './decide-race.js'
import { decidePaper } from './paper.js'
import type { Race, RaceRun, RaceTask } from './race.js'

const run = (reward: number | null, usd: number | null = 0.01, ms: number | null = 1_000): RaceRun => ({
  reward,
  usd,
  ms,
})

interface Outcomes {
  readonly challenger: RaceRun
  readonly champion: RaceRun
  readonly anchor?: RaceRun
}

/** A race of 20 tasks; without an anchor the champion is it. */
function aRace(outcome: (index: number) => Outcomes, n = 20, ran = n): Race {
  const tasks = Array.from({ length: ran }, (_, index): RaceTask => {
    const { challenger, champion, anchor = champion } = outcome(index)
    return { taskId: `t${index}`, challenger, champion, anchor }
  })
  return { n, tasks }
}

/** Cheaper by a fifth, give or take a little. */
const cheaper = (index: number): number => 0.008 + 0.0001 * (index % 7)
const solves = (index: number, of20: number): number => (index < of20 ? 1 : 0)

test('a challenger that is as good and cheaper is promoted, and the reason says by what', () => {
  const { verdict, reason, numbers } = decideRace(
    aRace((index) => ({ challenger: run(solves(index, 14), cheaper(index)), champion: run(solves(index, 14)) })),
  )
  expect(verdict).toBe('promote')
  expect(numbers).toMatchObject({ pairs: 20, n: 20, masked: 0, margin: 0.1, gains: ['usd'] })
  expect(reason).toBe(
    'reward 0.700 against 0.700 of the champion and 0.700 of the anchor on 20 pairs: the lower bounds of the differences, ' +
      '-0.058 and -0.058, are not below -0.100, and it is cheaper (times 0.83, at most 0.83)',
  )
})

test('a challenger that is as good, and neither cheaper nor faster, is not promoted', () => {
  const decision = decideRace(
    aRace((index) => ({ challenger: run(solves(index, 14)), champion: run(solves(index, 14)) })),
  )
  expect(decision.verdict).toBe('reject')
  expect(decision.reason).toContain('neither better nor cheaper nor faster beyond its bound (90 %)')
})

test('a challenger that is worse in the mean is not promoted, however cheap it is', () => {
  const decision = decideRace(
    aRace((index) => ({ challenger: run(solves(index, 13), cheaper(index) / 10), champion: run(solves(index, 14)) })),
  )
  expect(decision).toMatchObject({ verdict: 'reject' })
  expect(decision.reason).toContain('worse than the champion by 0.050 in the mean')
})

test('a champion that fell behind the anchor does not lower what a challenger has to reach', () => {
  const decision = decideRace(
    aRace((index) => ({
      challenger: run(solves(index, 12), cheaper(index)),
      champion: run(solves(index, 10)),
      anchor: run(solves(index, 14)),
    })),
  )
  expect(decision).toMatchObject({ verdict: 'reject' })
  expect(decision.reason).toContain('worse than the anchor by 0.100 in the mean')
})

test('pairs that differ too much leave the bound below the margin', () => {
  const decision = decideRace(
    aRace((index) => ({ challenger: run(index % 2, cheaper(index)), champion: run((index + 1) % 2) })),
  )
  expect(decision.verdict).toBe('reject')
  expect(decision.reason).toContain('the lower bound of the difference to the champion, -0.267, is below -0.100 (90 %)')
})

test('what a judge scored nominates and never promotes', () => {
  const decision = decideRace(
    aRace((index) => ({
      challenger: { ...run(solves(index, 14), cheaper(index)), ...(index === 3 ? { rewardKind: 'judge' } : {}) },
      champion: run(solves(index, 14)),
    })),
  )
  expect(decision.verdict).toBe('nominate')
  expect(decision.reason).toContain('a judge scored some of it, which nominates and never promotes')
})

test('a run that failed for no fault of the harness is left out, not scored 0, and the race goes on', () => {
  const outcome = (index: number): Outcomes => ({
    challenger: index === 2 ? run(null) : run(solves(index, 14), cheaper(index)),
    champion: run(solves(index, 14)),
  })
  const open = decideRace(aRace(outcome))
  expect(open).toMatchObject({ verdict: 'incomplete', numbers: { pairs: 19, masked: 1 } })
  expect(open.reason).toBe(
    '19 of 20 pairs are measured (1 left out, for a run of them failed for no fault of a harness): it is decided once, with all 20',
  )
  expect(decideRace(aRace(outcome, 20, 21))).toMatchObject({ verdict: 'promote', numbers: { pairs: 20, masked: 1 } })
})

test('a race is not won before its last pair, and is lost once nothing can save it', () => {
  const better = aRace((index) => ({ challenger: run(1, cheaper(index)), champion: run(0) }), 20, 19)
  expect(decideRace(better).verdict).toBe('incomplete')
  const lost = aRace((index) => ({ challenger: run(0, cheaper(index)), champion: run(1) }), 20, 11)
  expect(decideRace(lost).verdict).toBe('reject')
  expect(decideRace(lost).reason).toContain('no result of the 9 to come could make up for it')
})

test('tasks beyond the number that was fixed do not count', () => {
  const early = (index: number): Outcomes => ({
    challenger: run(index < 20 ? solves(index, 14) : 0, cheaper(index)),
    champion: run(index < 20 ? solves(index, 14) : 1),
  })
  expect(decideRace(aRace(early, 20, 40)).verdict).toBe('promote')
})

test('rewards between 0 and 1 that are all alike say nothing, and promote nothing', () => {
  const decision = decideRace(aRace((index) => ({ challenger: run(0.5, cheaper(index)), champion: run(0.5) })))
  expect(decision.verdict).toBe('reject')
  expect(decision.reason).toContain('nothing is known of the difference to the champion: all 20 alike')
})

test('an unknown cost is no gain', () => {
  const unknown = decideRace(
    aRace((index) => ({
      challenger: run(solves(index, 14), index === 4 ? null : cheaper(index)),
      champion: run(solves(index, 14)),
    })),
  )
  expect(unknown).toMatchObject({
    verdict: 'reject',
    numbers: { usd: { method: 'none', note: 'unknown, or 0, in some runs' } },
  })
})

const rewards = fc.constantFrom(0, 1)
const races = fc
  .array(fc.tuple(rewards, rewards, rewards, fc.double({ min: 0.5, max: 1.2, noNaN: true })), {
    minLength: 20,
    maxLength: 20,
  })
  .map((rows) =>
    aRace((index) => {
      const [challenger, champion, anchor, usd] = rows[index] as (typeof rows)[number]
      return { challenger: run(challenger, usd), champion: run(champion, 1), anchor: run(anchor, 1) }
    }),
  )

test('whatever is promoted satisfies every condition by the numbers that are stored', () => {
  fc.assert(
    fc.property(races, (race) => {
      const { verdict, numbers } = decideRace(race)
      const { reward, rewardToAnchor, usd, margin } = numbers
      const holds =
        Number(reward.mean) >= 0 &&
        Number(rewardToAnchor.mean) >= 0 &&
        Number(reward.lower) >= -margin &&
        Number(rewardToAnchor.lower) >= -margin &&
        (Number(reward.lower) > 0 || Number(usd.upper) < 0)
      expect(verdict).toBe(holds ? 'promote' : 'reject')
    }),
  )
})

test('a decision is JSON: it can be stored and read back as it was', () => {
  fc.assert(
    fc.property(races, (race) => {
      expect(JSON.parse(JSON.stringify(decideRace(race)))).toEqual(decideRace(race))
    }),
  )
})

test('the literal rule of the paper keeps what chance made better', () => {
  const { tasks } = aRace((index) => ({ challenger: run(1, cheaper(index)), champion: run(solves(index, 2)) }), 3)
  expect(decidePaper(tasks)).toMatchObject({ rule: 'paper', verdict: 'promote' })
  expect(decideRace({ n: 20, tasks }).verdict).toBe('incomplete')
})

test('in a batch the level of the best comparison is divided by their number', () => {
  // two won, one lost: the p-value is 0.054
  const barely = aRace((index) => ({
    challenger: run(solves(index, 14), cheaper(index)),
    champion: run(index === 0 || index === 1 ? 0 : solves(index, 15)),
  }))
  const poor = aRace((index) => ({
    challenger: run(solves(index, 9), cheaper(index)),
    champion: run(solves(index, 14)),
  }))
  expect(decideRace(barely).verdict).toBe('promote')
  const [first] = decideBatch([barely, poor, poor, poor, poor])
  expect(first?.numbers.level).toBeCloseTo(0.02)
  expect(first?.verdict).toBe('reject')
  expect(decideBatch([barely])).toEqual([decideRace(barely)])
})

test('of several of a batch that would be promoted the best one is', () => {
  const good = aRace((index) => ({
    challenger: run(solves(index, 18), cheaper(index)),
    champion: run(solves(index, 10)),
  }))
  const better = aRace((index) => ({ challenger: run(1, cheaper(index)), champion: run(solves(index, 10)) }))
  const decisions = decideBatch([good, better])
  expect(decisions.map(({ verdict }) => verdict)).toEqual(['reject', 'promote'])
  expect(decisions[0]?.reason).toContain('another challenger of its batch did better')
})
