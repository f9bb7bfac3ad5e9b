/**
 * Two claims, held against the simulated model on mixed worlds:
 *  1. a stream that remembers against its static control, which composes by rules and remembers nothing;
 *  2. a stream whose bank knows the training tasks against the fixed seed that is best on them.
 *
 *   harnesswright bench worlds --harness all --worlds <list> --rngs 24 --model sim-mid --limit tokens=20000000 --out <dir>
 *   npx tsx --conditions=@harnesswright/source packages/plugins/meta-agent/bench/claims.ts --bench <dir>
 *     [--worlds <list>] [--family <module>] [--rngs 24] [--train 12] [--orders 10] [--model sim-mid] [--oracle yes|no] [--out <dir>]
 *
 * A family is a world that is not in plugin-worlds: what a module exports that is a `World`. All worlds are then these too.
 * Without the oracle not every seed is run on the test tasks, but the one that is best on the training tasks alone.
 * Runs that are in the results of the bench are taken from there; the others are made, and kept in `--out` (default: `--bench`).
 * Nothing follows from it for language models.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { worlds as builtIn, type World } from '@harnesswright/plugin-worlds'
import {
  armOutcomes,
  COMPOSED,
  type Comparison,
  clusterOf,
  compareArms,
  comparisonLine,
  detectableLine,
  type Evidence,
  KeptLab,
  type LabChoice,
  type LabRecord,
  measure,
  plotStream,
  type StreamResult,
  stream,
  summariseStream,
  type TaskOutcome,
} from '../src/index.js'
import { realCatalog, seedManifests } from '../test/real-catalog.js'
import { type WorldTask, worldLab, worldTask } from './world-lab.js'

const { values } = parseArgs({
  options: {
    bench: { type: 'string', default: '.' },
    out: { type: 'string' },
    worlds: { type: 'string', default: 'all' },
    family: { type: 'string' },
    rngs: { type: 'string', default: '24' },
    train: { type: 'string', default: '12' },
    orders: { type: 'string', default: '10' },
    model: { type: 'string', default: 'sim-mid' },
    oracle: { type: 'string', default: 'yes' },
  },
})
const out = values.out ?? values.bench
const families = values.family === undefined ? [] : await worldsIn(values.family)
const everyWorld = [...builtIn, ...families].flatMap(({ name, sizes }) => sizes.map((size) => `${name}:${size}`))
const worlds = values.worlds === 'all' ? everyWorld : values.worlds.split(',')
const [rngs, trained, orders] = [Number(values.rngs), Number(values.train), Number(values.orders)]

const kept = join(out, `claims-${values.model}.jsonl`)
const model = createSimModel({ profile: values.model as 'sim-mid' })
const lab = new KeptLab(worldLab({ catalog: realCatalog, model, families }), {
  records: [...benchRecords(join(values.bench, 'results.jsonl')), ...ownRecords(kept)],
  keep: (record) => appendFileSync(kept, `${JSON.stringify(record)}\n`),
})
const seedOf = ({ rng }: WorldTask): number => rng
const seeds: readonly Required<LabChoice>[] = Object.entries(seedManifests).map(([name, manifest]) => ({
  name,
  manifest,
}))
const tasksOf = (first: number, last: number): readonly WorldTask[] =>
  Array.from({ length: last - first + 1 }, (_, index) => worlds.map((world) => worldTask(world, first + index))).flat()
const [train, test] = [tasksOf(1, trained), tasksOf(trained + 1, rngs)]

const trainOutcomes = await measureAll(train, seeds)
const trainedBest = seeds.filter(({ name }) => values.oracle !== 'no' || name === bestSeed(trainOutcomes))
const testOutcomes = await measureAll(test, trainedBest)
const cold = await stream({ lab, tasks: test, entries: seeds, orders, seedOf, concurrency: 2 })
const warm = await stream({
  lab,
  tasks: test,
  entries: seeds,
  orders,
  seedOf,
  concurrency: 2,
  evidence: await evidenceOf(trainOutcomes),
})
report()

/** The worlds that a module exports. */
async function worldsIn(path: string): Promise<readonly World[]> {
  const exported: object = await import(pathToFileURL(resolve(path)).href)
  return Object.values(exported).filter((one) => typeof one?.generate === 'function')
}

/** These seeds, and what is composed, on every task. */
async function measureAll(
  tasks: readonly WorldTask[],
  some: readonly Required<LabChoice>[],
): Promise<ReadonlyMap<string, readonly TaskOutcome[]>> {
  const measured = new Map<string, readonly TaskOutcome[]>()
  for (const choice of [{ name: COMPOSED }, ...some]) {
    measured.set(choice.name, await measure(lab, choice, tasks, { seedOf, concurrency: 2 }))
    console.error(`${choice.name}: ${tasks.length} tasks; ${lab.spent.runs} runs in all`)
  }
  return measured
}

async function evidenceOf(outcomes: ReadonlyMap<string, readonly TaskOutcome[]>): Promise<readonly Evidence[]> {
  const clusters = new Map<string, string>()
  for (const task of train) clusters.set(task.id, clusterOf(await lab.look(task)))
  return [...outcomes].flatMap(([entry, own]) =>
    own.map(({ task, outcome }) => ({ cluster: clusters.get(task.id) as string, entry, outcome })),
  )
}

function report(): void {
  const [bestTrained, bestTested] = [bestSeed(trainOutcomes), bestSeed(testOutcomes)]
  const streamed = armOutcomes(warm, 'outcome')
  const against = (name: string): Comparison => compareArms(streamed, testOutcomes.get(name) ?? [])
  const composed = compareArms(testOutcomes.get(COMPOSED) ?? [], testOutcomes.get(bestTrained) ?? [])
  const lines = [
    `On the simulated model ${model.id}: ${worlds.join(', ')}.`,
    `Training: random seeds 1 to ${trained}; test: ${trained + 1} to ${rngs}, ${test.length} tasks; ${orders} orders.`,
    '',
    ...line('claim 1: streaming against static', summariseStream(cold).comparison),
    ...line(
      `claim 2: streaming with the bank of the training tasks against ${bestTrained}, the best seed on them`,
      against(bestTrained),
    ),
    ...line(
      `beside it: against ${bestTested}, the best on the test tasks of the seeds that were run on them`,
      against(bestTested),
    ),
    ...line(`beside it: rules alone against ${bestTrained}`, composed),
    '',
    '| arm | reward | USD a task | tokens a task |',
    '| --- | --- | --- | --- |',
    ...[...testOutcomes].map(([name, own]) => armRow(name === COMPOSED ? 'rules' : name, own)),
    armRow('streaming, cold', armOutcomes(cold, 'outcome')),
    armRow('streaming, bank of the training tasks', streamed),
    '',
    ...clusterTable('cold', cold),
    '',
    ...clusterTable('with the bank', warm),
  ]
  console.log(lines.join('\n'))
  writeFileSync(join(out, 'claims.md'), `${lines.join('\n')}\n`)
  const texts = (which: string) => ({
    title: `A stream of ${test.length} tasks, ${which}`,
    subtitle: `${worlds.length} kinds of tasks, ${orders} orders: mean, least and most`,
    note: `On the simulated model ${model.id}: nothing follows for language models. bench/claims.ts of plugin-meta-agent`,
  })
  writeFileSync(join(out, 'stream-cold.svg'), plotStream(cold, texts('nothing known before')))
  writeFileSync(join(out, 'stream-warm.svg'), plotStream(warm, texts('with the bank of other tasks')))
}

function line(title: string, comparison: Comparison): readonly string[] {
  return [`${title}: ${comparisonLine(comparison)}`, `  ${detectableLine(comparison)}`]
}

function bestSeed(outcomes: ReadonlyMap<string, readonly TaskOutcome[]>): string {
  const ranked = [...outcomes]
    .filter(([name]) => name !== COMPOSED)
    .map(([name, own]) => ({ name, reward: meanOf(own, 'reward'), usd: meanOf(own, 'usd') }))
    .sort((a, b) => b.reward - a.reward || a.usd - b.usd)
  return (ranked[0] as (typeof ranked)[number]).name
}

function meanOf(outcomes: readonly TaskOutcome[], what: 'reward' | 'usd' | 'tokens'): number {
  return outcomes.reduce((sum, { outcome }) => sum + (outcome[what] ?? 0), 0) / outcomes.length
}

function armRow(name: string, own: readonly TaskOutcome[]): string {
  return `| ${name} | ${meanOf(own, 'reward').toFixed(3)} | ${meanOf(own, 'usd').toFixed(4)} | ${Math.round(meanOf(own, 'tokens') / 100) / 10}k |`
}

function clusterTable(which: string, result: StreamResult): readonly string[] {
  const { clusters } = summariseStream(result)
  const digits = (value: number | null, count: number): string => (value === null ? 'unknown' : value.toFixed(count))
  return [
    `| kind of task (${which}) | steps | streaming | static | USD streaming | USD static | explored | settled on |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...clusters.map(({ cluster, steps, streaming, control, explored, settledOn: { entry, share } }) => {
      const cells = [cluster, steps, digits(streaming.reward, 3), digits(control.reward, 3), digits(streaming.usd, 4)]
      return `| ${[...cells, digits(control.usd, 4), explored.toFixed(2), `${entry} (${share.toFixed(2)})`].join(' | ')} |`
    }),
  ]
}

/** Runs of seeds in the results of a bench. */
function benchRecords(path: string): readonly LabRecord[] {
  return jsonLines(path).map((row) => {
    const {
      harness,
      world,
      rng,
      reward,
      inputTokens,
      outputTokens,
      usd,
      ms,
      steps,
      manifestId,
      harnessId,
      status,
      reason,
    } = row
    const outcome = {
      reward,
      tokens: inputTokens + outputTokens,
      usd,
      ms,
      steps,
      route: 'fixed',
      manifestId,
      harnessId,
      end: reason ?? status,
    }
    return { task: `${world}#${rng}`, choice: harness, seed: rng, outcome } as LabRecord
  })
}

function ownRecords(path: string): readonly LabRecord[] {
  return jsonLines(path) as readonly LabRecord[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows of files that were written by this repository
function jsonLines(path: string): readonly any[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text))
}
