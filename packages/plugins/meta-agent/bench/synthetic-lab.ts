import { type Manifest, mixSeed, seededRandom } from '@harnesswright/core'
import type { Lab, LabChoice, LabOutcome, LabTask, TaskFeatures } from '../src/index.js'

/** A task of a made-up kind. */
export interface SyntheticTask extends LabTask {
  /** From 0 to 15. */
  readonly kind: number
}

/** How good harnesses are: the chance of a reward of 1, by kind and name, before the difficulty of the task. */
export interface SyntheticTruth {
  readonly chance: (kind: number, harness: string, unit: string) => number
  /** USD of a run. Default 0.01. */
  readonly usd?: (kind: number, harness: string) => number
}

/** How much the difficulty of a task moves the chance either way, at most. */
const DIFFICULTY = 0.2

/**
 * A lab without harnesses: a reward is drawn by hashes of task, harness and seed, so that a run is a few microseconds and the
 * statistics around it can be tried many times. It stands for no model and no harness.
 */
export function syntheticLab({ chance, usd = () => 0.01 }: SyntheticTruth): Lab<SyntheticTask> {
  return {
    look: async (task) => featuresOf(task.kind),
    async run(task, { name }: LabChoice, seed): Promise<LabOutcome> {
      const difficulty = (2 * draw('difficulty', task.id) - 1) * DIFFICULTY
      const likely = chance(task.kind, name, task.unit) + difficulty
      const reward = draw('reward', task.id, name, seed) < likely ? 1 : 0
      const cost = usd(task.kind, name) * (0.8 + 0.4 * draw('usd', task.id, name, seed))
      const id = `sha256:${name}`
      return {
        reward,
        usd: cost,
        tokens: 100,
        ms: 1,
        steps: 1,
        route: 'fixed',
        manifestId: id,
        harnessId: id,
        end: 'answered',
      }
    },
  }
}

/** A number from 0 to 1 that these parts decide. */
export function draw(...parts: readonly (string | number)[]): number {
  return seededRandom(mixSeed(...parts)).next()
}

/** Tasks of kinds 0 to `kinds`, `each` of every kind in each unit. */
export function syntheticTasks(name: string, shape: SyntheticShape): readonly SyntheticTask[] {
  const { units, kinds, each } = shape
  return Array.from({ length: units * kinds * each }, (_, index) => {
    const unit = Math.floor(index / (kinds * each))
    return { id: `${name} ${index}`, unit: `${name} unit ${unit}`, kind: index % kinds }
  })
}

/** How many tasks there are. */
export interface SyntheticShape {
  readonly units: number
  readonly kinds: number
  readonly each: number
}

/** A manifest that is only a name here. */
export function namedManifest(name: string): Manifest {
  return { protocol: 1, name, packages: {}, memory: null, planning: null, capability: null, action: { use: name } }
}

/** Features of which every kind has others, so that each is a cluster of its own. */
function featuresOf(kind: number): TaskFeatures {
  const share = [0.05, 0.3, 1, 4][kind % 4] as number // four volumes
  return {
    files: 1,
    sources: 1,
    unsizedSources: 0,
    expectedObservationTokens: share * 32_000,
    contextWindow: 32_000,
    windowShare: share,
    dependencyDepth: 1,
    deliverable: Math.floor(kind / 8) % 2 === 1,
    goals: Math.floor(kind / 4) % 2 === 1 ? 9 : 1,
    leastSteps: 2,
    leastTokens: 1_000,
    leastUsd: null,
    budget: { tokens: 1e6, steps: 50, usd: null },
    hasReadTool: true,
    hasWriteTool: true,
    hasSearchTool: true,
  }
}
