import { expect, test } from 'vitest'
import { mean } from '../src/statistics/index.js'
import { runChain, shareWon } from './chains.js'

const CHAINS = 1_000
const TIMEOUT_MS = 180_000 // it takes seconds, unless the machine is busy

/** Chains of thirty challengers, with what they ended with on average. */
function chains(rule: 'conservative' | 'paper', n: number): { readonly champion: number; readonly fallen: number } {
  const ends = Array.from({ length: CHAINS }, (_, seed) => runChain({ rule, n, seed }))
  return {
    champion: mean(ends.map(({ champion }) => champion)),
    fallen: ends.filter(({ anchor }) => anchor < 0.7 - 1e-9).length / CHAINS,
  }
}

test(
  'thirty challengers that are each two points worse: the literal rule ends below .35, this one at .62 and more',
  () => {
    const paper = chains('paper', 3)
    const [of20, of80] = [chains('conservative', 20), chains('conservative', 80)]
    console.info(
      [
        `paper, n = 3: champion ${paper.champion.toFixed(3)}`,
        `n = 20: champion ${of20.champion.toFixed(3)}, anchor fallen in ${(100 * of20.fallen).toFixed(1)} %`,
        `n = 80: champion ${of80.champion.toFixed(3)}, anchor fallen in ${(100 * of80.fallen).toFixed(1)} %`,
      ].join('\n'),
    )
    expect(paper.champion).toBeLessThan(0.35)
    expect(of20.champion).toBeGreaterThanOrEqual(0.62)
    expect(of80.champion).toBeGreaterThanOrEqual(0.64)
    expect(of20.fallen).toBeLessThanOrEqual(0.03)
    expect(of80.fallen).toBeLessThanOrEqual(0.03)
  },
  TIMEOUT_MS,
)

test('one race of a cheaper challenger is won by one that is ten points better, and seldom by one that is ten worse', () => {
  const races = 2_000
  const better = [20, 80].map((n) => shareWon(0.8, 0.7, { n, races }))
  const worse = shareWon(0.87, 0.97, { n: 20, races })
  console.info(
    `.80 against .70 wins ${better[0]} at n = 20 and ${better[1]} at n = 80; .87 against .97 wins ${worse} at n = 20`,
  )
  expect(better[0]).toBeGreaterThanOrEqual(0.55)
  expect(better[1]).toBeGreaterThanOrEqual(0.75)
  expect(worse).toBeLessThanOrEqual(0.14)
})
