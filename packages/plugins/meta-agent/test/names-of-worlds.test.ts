import { createEnvironment, type Task } from '@harnesswright/core'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { generateTask, worlds } from '@harnesswright/plugin-worlds'
import { expect, test } from 'vitest'
import { draw, namedManifest, syntheticLab } from '../bench/synthetic-lab.js'
import { clusterOf, compose, extractFeatures, type Lab, type LabTask, stream } from '../src/index.js'
import { allSeeds } from './thirteen-seeds.js'

const model = createSimModel({ profile: 'sim-mid' })
const specs = worlds.flatMap(({ name, sizes }) => sizes.map((size) => `${name}:${size}`))

interface NamedTask extends LabTask {
  readonly spec: string
  readonly rng: number
}

/** Features of a generated task, whatever it is called: from its words, files and tools. */
function featuresOf({ spec, rng }: NamedTask, change: (task: Task) => Task = (task) => task) {
  const { task, tools, stepLimit } = generateTask(spec, { rng })
  const limits = { tokens: 1e6, steps: stepLimit, usd: Number.POSITIVE_INFINITY }
  return extractFeatures(change(task), { tools, model, limits })
}

const tasks = specs.flatMap((spec) =>
  [1, 2].map((rng): NamedTask => ({ id: `${spec}#${rng}`, unit: `rng ${rng}`, spec, rng })),
)

test('the kind of a task hangs on its text, files and tools: another id and other metadata change nothing', () => {
  for (const task of tasks) {
    const renamed = featuresOf(task, (given) => ({ ...given, id: 'x', metadata: { world: 'another', suite: 'none' } }))

    expect(renamed).toEqual(featuresOf(task))
  }
})

test('rules compose the same harness, and say the same of it, for a task of another id and other metadata', async () => {
  for (const { spec, rng } of tasks) {
    const { task, tools, stepLimit } = generateTask(spec, { rng })
    const env = createEnvironment({ model, tools, limits: { steps: stepLimit } })
    const composed = async (given: Task) => await compose(given, { env, catalog: allSeeds, smoke: false })
    const [one, other] = [
      await composed(task),
      await composed({ ...task, id: 'x', metadata: { world: 'another', suite: 'none' } }),
    ]

    expect(other.manifestId).toBe(one.manifestId)
    expect(other.explanation).toEqual(one.explanation)
  }
})

test('the worlds are told apart in kinds by their tasks alone', () => {
  expect(new Set(tasks.map((task) => clusterOf(featuresOf(task)))).size).toBeGreaterThanOrEqual(5)
})

test('a stream over worlds of other names chooses the same', async () => {
  const lab = (name: (task: NamedTask) => string): Lab<NamedTask> => ({
    look: async (task) => featuresOf(task),
    run: async (task, choice, seed) => {
      const chance = (): number => draw('quality', task.spec, choice.name)
      const made = await syntheticLab({ chance }).run({ id: task.spec, unit: '', kind: 0 }, choice, seed)
      return { ...made, end: name(task) }
    },
  })
  const entries = ['a', 'b', 'c'].map((name) => ({ name, manifest: namedManifest(name) }))
  const choicesOf = async (rename: (task: NamedTask) => NamedTask) => {
    const options = { tasks: tasks.map(rename), entries, orders: 3, rng: 2, seedOf: ({ rng }: NamedTask) => rng }
    const { orders } = await stream({ ...options, lab: lab(({ id }) => id) })
    return orders.map((steps) => steps.map(({ choice }) => choice))
  }
  const renamed = await choicesOf((task) => ({ ...task, id: `task ${tasks.indexOf(task)}`, unit: `unit ${task.rng}` }))

  expect(renamed).toEqual(await choicesOf((task) => task))
})
