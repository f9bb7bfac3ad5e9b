/**
 * Controls of the evaluation: does it see a gain where there is none, and does it see one where there is?
 *
 * Each is repeated 200 times with other random seeds, on made-up rewards, through the code that evaluates evolutions and streams.
 *   npx tsx --conditions=@harnesswright/source packages/plugins/meta-agent/bench/controls.ts [repeats]
 */
import { pathToFileURL } from 'node:url'
import {
  armOutcomes,
  COMPOSED,
  type Comparison,
  compareArms,
  type Evidence,
  type LabChoice,
  measure,
  type StreamResult,
  stream,
  summariseStream,
} from '../src/index.js'
import { clusterOf } from '../src/stream/cluster.js'
import { draw, namedManifest, type SyntheticTask, syntheticLab, syntheticTasks } from './synthetic-lab.js'

/** What the controls found. */
export interface ControlFigures {
  readonly repeats: number
  /** Repeats in which the parent under another name was said to be better or cheaper. */
  readonly noOpGains: number
  /** Repeats in which a gain of the size that the report of the no-op printed as its minimum detectable effect was found. */
  readonly plantedFound: number
  /** The mean of these sizes. */
  readonly meanPlanted: number
  /** Repeats in which a stream with a bank of shuffled rewards was said to gain. */
  readonly shuffledGains: number
  /** The same with true rewards, so that the control is seen to be able to gain. */
  readonly trueGains: number
  /** In one world, where something lasts: repeats in which a stream with each bank was said to gain on one without a bank. */
  readonly bankGains: Readonly<Record<Bank, number>>
  /** The mean gain of these, in reward. */
  readonly bankMeans: Readonly<Record<Bank, number>>
}

/** What the bank of a stream says: rewards as they were, or those of other harnesses and tasks. */
type Bank = 'shuffled' | 'true'

const SHAPE = { units: 24, kinds: 8, each: 1 } as const
const PARENT_CHANCE = 0.5

/** Runs all controls. */
export async function runControls(repeats: number): Promise<ControlFigures> {
  let [noOpGains, plantedFound, planted, shuffledGains, trueGains] = [0, 0, 0, 0, 0]
  const [bankGains, bankMeans] = [
    { shuffled: 0, true: 0 },
    { shuffled: 0, true: 0 },
  ]
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const noOp = await evaluate(repeat, 0)
    if (isGain(noOp)) noOpGains += 1
    const size = noOp.detectable ?? 0
    planted += size
    if ((await evaluate(repeat + repeats, size)).verdict === 'better') plantedFound += 1
    if (isGain(await streamWith('shuffled', repeat))) shuffledGains += 1
    if (isGain(await streamWith('true', repeat))) trueGains += 1
    for (const [bank, gain] of Object.entries(await gainsOfBanks(repeat)) as [Bank, Comparison][]) {
      if (isGain(gain)) bankGains[bank] += 1
      bankMeans[bank] += (gain.reward.mean ?? 0) / repeats
    }
  }
  const meanPlanted = planted / repeats
  return { repeats, noOpGains, plantedFound, meanPlanted, shuffledGains, trueGains, bankGains, bankMeans }
}

function isGain({ verdict }: Comparison): boolean {
  return verdict === 'better' || verdict === 'cheaper'
}

/** The parent against a challenger that is better by so much, on fresh tasks. */
async function evaluate(repeat: number, gain: number): Promise<Comparison> {
  const tasks = syntheticTasks(`evaluation ${repeat}`, SHAPE)
  const lab = syntheticLab({ chance: (_kind, name) => PARENT_CHANCE + (name === 'challenger' ? gain : 0) })
  const runs = (name: string) => measure(lab, choiceOf(name), tasks, { seedOf: () => repeat })
  return compareArms(await runs('challenger'), await runs('parent'))
}

/** Harnesses of the bank of a stream. */
const ENTRIES = ['a', 'b', 'c', 'd', 'e'].map(choiceOf)
const ALL_NAMES = [COMPOSED, ...ENTRIES.map(({ name }) => name)]

/** How much better one harness of each kind is throughout. */
const LASTING = 0.2

/**
 * A stream whose bank knows ten runs of every harness on every kind of task, with their rewards or with those of others.
 * Which harness is good at what, the composed one among them, is drawn for each unit anew, but for one that is better at each
 * kind throughout: of that a true bank tells, and a shuffled one does not.
 */
async function streamWith(bank: Bank, repeat: number): Promise<Comparison> {
  const names = ENTRIES.map(({ name }) => name)
  const { evidence, run } = await worldOf(repeat, { names, lasting: bank === 'true' ? LASTING : 0 })
  return summariseStream(await run(bank === 'true' ? evidence : shuffleRewards(evidence, repeat))).comparison
}

/**
 * What a bank does to a stream in a world where a true one helps: against the same stream without one, which learns as it goes. The
 * harness that is better at a kind may be the composed one too, so that none is better for being in the bank.
 */
async function gainsOfBanks(repeat: number): Promise<Readonly<Record<Bank, Comparison>>> {
  const { evidence, run } = await worldOf(repeat, { names: ALL_NAMES, lasting: LASTING })
  const alone = armOutcomes(await run([]), 'outcome')
  const gain = async (given: readonly Evidence[]): Promise<Comparison> =>
    compareArms(armOutcomes(await run(given), 'outcome'), alone)
  return { shuffled: await gain(shuffleRewards(evidence, repeat)), true: await gain(evidence) }
}

interface StreamWorld {
  /** Ten runs of every harness on every kind of task. */
  readonly evidence: readonly Evidence[]
  readonly run: (evidence: readonly Evidence[]) => Promise<StreamResult>
}

/** Streams over one set of tasks, where one of these harnesses, for each kind another, is better by `lasting` throughout. */
async function worldOf(
  repeat: number,
  { names, lasting }: { readonly names: readonly string[]; readonly lasting: number },
): Promise<StreamWorld> {
  const lab = syntheticLab({
    chance: (kind, name, unit) => {
      const isGood = name === names[Math.floor(draw('good', repeat, kind) * names.length)]
      return 0.35 + 0.3 * draw('quality', repeat, kind, name, unit) + (isGood ? lasting : 0)
    },
  })
  const tasks = syntheticTasks(`stream ${repeat}`, SHAPE)
  const learned = syntheticTasks(`bank ${repeat}`, { units: 10, kinds: SHAPE.kinds, each: 1 })
  const evidence: Evidence[] = []
  for (const name of ALL_NAMES) {
    for (const task of learned) {
      const outcome = await lab.run(task, { name }, 1)
      evidence.push({ cluster: clusterOf(await lab.look(task)), entry: name, outcome })
    }
  }
  const common = { lab, tasks, entries: ENTRIES, orders: 2, rng: repeat, seedOf: () => 1 }
  return { evidence, run: async (given) => await stream<SyntheticTask>({ ...common, evidence: given }) }
}

/** The rewards of the evidence in another order: each is still there, at another harness and another kind of task. */
function shuffleRewards(evidence: readonly Evidence[], repeat: number): readonly Evidence[] {
  const order = evidence.map((one, index) => ({ one, at: draw('shuffle', repeat, index) })).sort((a, b) => a.at - b.at)
  return evidence.map((one, index) => ({ ...one, outcome: (order[index] as (typeof order)[number]).one.outcome }))
}

function choiceOf(name: string): Required<LabChoice> {
  return { name, manifest: namedManifest(name) }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const figures = await runControls(Number(process.argv[2] ?? 200))
  console.log(JSON.stringify(figures, null, 2))
}
