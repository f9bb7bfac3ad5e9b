import { type Random, seededRandom } from '@harnesswright/core'
import { decidePaper, decideRace, type RaceRun, type RaceTask } from '../src/rule/index.js'

/** A harness of a simulated world: how often it is right, and what it costs. */
interface SimHarness {
  readonly reward: number
  readonly usd: number
}

/** How often the luck of a run is that of its task, which all share: pairs then differ in 30 % at a reward of 0.7. */
const SHARED = 0.55

/** A task of a chain, run by three. Champion and anchor share their run where they are the same harness. */
function simulateTask(
  { challenger, champion, anchor }: Readonly<Record<'challenger' | 'champion' | 'anchor', SimHarness>>,
  random: Random,
): RaceTask {
  const luckOfTask = random.next()
  const run = ({ reward, usd }: SimHarness): RaceRun => {
    const luck = random.next() < SHARED ? luckOfTask : random.next()
    return { reward: luck < reward ? 1 : 0, usd: usd * (0.8 + 0.4 * random.next()), ms: null } // a fifth more or less
  }
  const shared = run(champion)
  return {
    taskId: 't',
    challenger: run(challenger),
    champion: shared,
    anchor: anchor === champion ? shared : run(anchor),
  }
}

/** What a chain ended with: true rewards. */
export interface ChainEnd {
  readonly champion: number
  readonly anchor: number
}

/** How a chain goes on. */
export interface ChainOptions {
  readonly rule: 'conservative' | 'paper'
  /** Pairs of each race. */
  readonly n: number
  readonly seed: number
}

const CHALLENGERS = 30
const START: SimHarness = { reward: 0.7, usd: 1 }

/** Thirty challengers, each two points below the champion of its time and a fifth cheaper. */
export function runChain({ rule, n, seed }: ChainOptions): ChainEnd {
  const random = seededRandom(seed)
  let [champion, anchor] = [START, START]
  let isFirstOfChampion = true
  for (let index = 0; index < CHALLENGERS; index += 1) {
    const challenger = { reward: champion.reward - 0.02, usd: champion.usd * 0.8 }
    const { isPromoted, isAnchor } = raceOnce({ challenger, champion, anchor, rule, n, isFirstOfChampion }, random)
    if (isAnchor) anchor = champion
    if (isPromoted) champion = challenger
    isFirstOfChampion = isPromoted
  }
  return { champion: champion.reward, anchor: anchor.reward }
}

/** Who races, by which rule, on how many pairs. */
interface SimRace extends Readonly<Record<'challenger' | 'champion' | 'anchor', SimHarness>> {
  readonly rule: ChainOptions['rule']
  readonly n: number
  readonly isFirstOfChampion?: boolean
}

/** One race, and what became of the challenger. */
function raceOnce(
  { rule, n, isFirstOfChampion = false, ...who }: SimRace,
  random: Random,
): { readonly isPromoted: boolean; readonly isAnchor: boolean } {
  const tasks = Array.from({ length: n }, () => simulateTask(who, random))
  if (rule === 'paper') return { isPromoted: decidePaper(tasks).verdict === 'promote', isAnchor: false }
  const { verdict, anchor } = decideRace({ n, tasks, isFirstOfChampion })
  return { isPromoted: verdict === 'promote', isAnchor: anchor.isReplaced }
}

/** Share of races in which a challenger of this reward, a fifth cheaper, is promoted over a champion that is the anchor too. */
export function shareWon(challenger: number, champion: number, { n, races }: { n: number; races: number }): number {
  const random = seededRandom(n)
  const incumbent = { reward: champion, usd: 1 }
  const who = { challenger: { reward: challenger, usd: 0.8 }, champion: incumbent, anchor: incumbent }
  const won = Array.from({ length: races }, () => raceOnce({ ...who, rule: 'conservative', n }, random))
  return won.filter(({ isPromoted }) => isPromoted).length / races
}
