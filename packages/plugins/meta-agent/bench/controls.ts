/**
 * Controls of the evaluation: does it see a gain where there is none, and does it see one where there is?
 *
 * Each is repeated 200 times with other random seeds, on made-up rewards, through the code that evaluates evolutions and streams.
 *   npx tsx --conditions=@harnesswright/source packages/plugins/meta-agent/bench/controls.ts [repeats]
 */
import { pathToFileURL } from 'node:url'
import {
  type Comparison,
  compareArms,
  type Evidence,
  type LabChoice,
  measure,
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
}

const SHAPE = { units: 24, kinds: 8, each: 1 } as const
const PARENT_CHANCE = 0.5

/** Runs all controls. */
export async function runControls(repeats: number): Promise<ControlFigures> {
  let [noOpGains, plantedFound, planted, shuffledGains, trueGains] = [0, 0, 0, 0, 0]
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const noOp = await evaluate(repeat, 0)
    if (isGain(noOp)) noOpGains += 1
    const size = noOp.detectable ?? 0
    planted += size
    if ((await evaluate(repeat + repeats, size)).verdict === 'better') plantedFound += 1
    if (isGain(await streamWith('shuffled', repeat))) shuffledGains += 1
    if (isGain(await streamWith('true', repeat))) trueGains += 1
  }
  return { repeats, noOpGains, plantedFound, meanPlanted: planted / repeats, shuffledGains, trueGains }
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

/**
 * A stream whose bank knows ten runs of every harness on every kind of task, with their rewards or with those of others.
 * Which harness is good at what, the composed one among them, is drawn for each unit anew, but for one that is better at each
 * kind throughout: of that a true bank tells, and a shuffled one does not.
 */
async function streamWith(bank: 'true' | 'shuffled', repeat: number): Promise<Comparison> {
  const lab = syntheticLab({
    chance: (kind, name, unit) => {
      const isGood = bank === 'true' && name === ENTRIES[Math.floor(draw('good', repeat, kind) * ENTRIES.length)]?.name
      return 0.35 + 0.3 * draw('quality', repeat, kind, name, unit) + (isGood ? 0.2 : 0)
    },
  })
  const tasks = syntheticTasks(`stream ${repeat}`, SHAPE)
  const learned = syntheticTasks(`bank ${repeat}`, { units: 10, kinds: SHAPE.kinds, each: 1 })
  const evidence: Evidence[] = []
  for (const { name } of [{ name: 'composed' }, ...ENTRIES]) {
    for (const task of learned) {
      const outcome = await lab.run(task, { name }, 1)
      evidence.push({ cluster: clusterOf(await lab.look(task)), entry: name, outcome })
    }
  }
  const given = bank === 'true' ? evidence : shuffleRewards(evidence, repeat)
  const result = await stream<SyntheticTask>({
    lab,
    tasks,
    entries: ENTRIES,
    evidence: given,
    orders: 2,
    rng: repeat,
    seedOf: () => 1,
  })
  return summariseStream(result).comparison
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
