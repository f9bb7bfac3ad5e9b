import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  assemble,
  createEnvironment,
  defineModule,
  type Journal,
  type Message,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type RunResult,
} from '@harnesswright/core'
import { createVirtualClock, type FreshHarness, type ResumeLawReport, resumeLaw } from '@harnesswright/core/testkit'
import { definePackage } from '@harnesswright/plugin-manifest'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, type WorldTask, withLatency } from '@harnesswright/plugin-worlds'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalog } from '../src/index.js'
import {
  allMixtures,
  catalog,
  catalogWith,
  type Mixture,
  manifestOf,
  misfitsOf,
  model,
  modulesOf,
  nameOf,
  SLOTS,
} from './support/slot-mixtures.js'

// Whatever published modules are put together: they fit, or are refused for a reason that is written down here, and those
// that fit run.

interface Refusal {
  readonly module: string
  /** What it requires. */
  readonly label: string
  readonly why: string
}

/** Every reason for which a combination of published modules may be refused. None requires anything of another so far. */
const REFUSALS: readonly Refusal[] = []

/** Files that lead to each other, searches side by side, a file to write, longer texts, and what is worth being divided. */
const WORLDS = ['lookup-chain', 'wide-search', 'quotes', 'long-log', 'wide-search:large'] as const

const SAMPLES = 400
const SEED = 1

/** Points from which runs of each action go on. */
const ENOUGH_POINTS = 60

/** The actions that start no other runs. */
const ALONE: readonly (string | null)[] = ['@harnesswright/seed-react#action', '@harnesswright/seed-deepagent#action']

const textOf = ({ module, label }: Refusal): string => `E_PROTOCOL_REQUIRES ${label} ${module}`

/** What is refused, and what for: a line for each problem. */
async function refusalsOf(mixture: Mixture, from = catalog): Promise<readonly string[]> {
  const manifest: { readonly [slot: string]: unknown } = { ...manifestOf(mixture) }
  return (await misfitsOf(mixture, from)).map(({ code, pointer, found }) => {
    const slot = pointer.split('/')[1] ?? ''
    const use = (manifest[slot] as { readonly use?: string } | undefined)?.use ?? pointer
    return `${code} ${/^no "(.*)"$/.exec(found)?.[1] ?? found} ${use}`
  })
}

/** The mixtures that fit, and what is said of the others. */
async function sortOut(mixtures: readonly Mixture[], from = catalog) {
  const fitting: Mixture[] = []
  const refusals = new Map<Mixture, readonly string[]>()
  for (const mixture of mixtures) {
    const problems = await refusalsOf(mixture, from)
    if (problems.length === 0) fitting.push(mixture)
    else refusals.set(mixture, problems)
  }
  return { fitting, refusals }
}

test('the mixtures are of every module that comes with the command line', () => {
  const names = readCatalog({ cwd: tmpdir() })
    .modules()
    .map(({ use }) => use)

  expect(
    SLOTS.flatMap(modulesOf)
      .filter((use) => use !== null)
      .sort(),
  ).toEqual([...names].sort())
})

test('of all combinations at least 60 % fit, and every refusal is one that is written down', async () => {
  const all = allMixtures()
  const { fitting, refusals } = await sortOut(all)

  console.log(`${fitting.length} of ${all.length} combinations fit`)
  expect(all.length).toBeGreaterThanOrEqual(600)
  expect(fitting.length / all.length).toBeGreaterThanOrEqual(0.6)
  expect([...new Set([...refusals.values()].flat())].sort()).toEqual(REFUSALS.map(textOf).sort())
})

test('a module that requires a plan is refused where nobody plans, and nowhere else', async () => {
  const use = '@example/harnesswright-planned#capability'
  const planned = defineModule({
    slot: 'capability',
    summary: 'Offers what the plan names.',
    requires: ['plan'],
    select: (ctx) => ctx.capabilities,
  })
  const stranger = definePackage({
    name: '@example/harnesswright-planned',
    version: '1.0.0',
    modules: { capability: planned },
  })
  const all = allMixtures({ capability: [use] })
  const { fitting, refusals } = await sortOut(all, catalogWith(stranger))

  const planless = [null, '@harnesswright/seed-react#planning']
  expect([...refusals.keys()]).toEqual(all.filter(({ planning }) => planless.includes(planning)))
  expect(new Set([...refusals.values()].flat())).toEqual(
    new Set([textOf({ module: use, label: 'plan', why: 'it offers what the plan names' })]),
  )
  expect(fitting.length / all.length).toBeGreaterThanOrEqual(0.6)
})

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mixtures-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Tasks are never changed: each is generated once. */
const tasks = new Map<string, WorldTask>()

function taskOf(world: string, rng: number): WorldTask {
  const key = `${world} ${rng}`
  const task = tasks.get(key) ?? generateTask(world, { rng })
  tasks.set(key, task)
  return task
}

/** A workspace with the files of a task, below the folder of these tests. */
function openFiles({ task, tools, toolLatencyMs }: WorldTask) {
  const root = mkdtempSync(join(folder, 'run-'))
  const files = join(root, 'files')
  mkdirSync(files)
  const { workspaces, id } = openWorkspace(files, { forks: join(root, 'forks') })
  const jail = workspaces.jail(id)
  for (const { path, text = '' } of task.files ?? []) jail.write(path, text)
  const offered = (inside?: string) => [
    ...workspaces.tools(inside).map((tool) => withLatency(tool, toolLatencyMs)),
    ...tools,
  ]
  return { workspaces, id, offered, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A mixture, and the task that it runs on. */
interface Sample {
  readonly mixture: Mixture
  readonly isEager: boolean
  readonly world: (typeof WORLDS)[number]
  readonly rng: number
}

/** Real files, forks of them for child runs, the kernel in strict mode, a simulated model, a virtual clock. */
async function run({ mixture, isEager, world, rng }: Sample): Promise<RunResult> {
  const generated = taskOf(world, rng)
  const { workspaces, id, offered, remove } = openFiles(generated)
  try {
    const env = createEnvironment({
      model,
      tools: offered(),
      clock: createVirtualClock(),
      workspaces,
      workspace: id,
      strict: true,
      limits: { steps: 6, depth: 2, tokens: 20_000_000 },
    })
    return await (await assemble(manifestOf(mixture, isEager), { catalog, env })).run(generated.task, { seed: rng })
      .result
  } finally {
    remove()
  }
}

/** What an endpoint refuses: calls without a result right after them, results without a call, ids that come twice. */
function unpaired(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  let due: string[] = []
  for (const { role, callId = '', toolCalls = [] } of messages) {
    if (role === 'tool') {
      if (!due.includes(callId)) faults.push(`the result of ${callId} is not due`)
      due = due.filter((id) => id !== callId)
      continue
    }
    faults.push(...due.map((id) => `the call ${id} has no result`))
    due = toolCalls.map(({ id }) => id)
    for (const id of due) if (seen.size === seen.add(id).size) faults.push(`the call ${id} is made twice`)
  }
  return [...faults, ...due.map((id) => `the call ${id} has no result`)]
}

/** What is wrong with a run and those below it: it failed, or its history is not whole. */
function faultsOf({ status, reason, error, messages, steps, children }: RunResult, path = 'root'): readonly string[] {
  const faults = [...unpaired(messages)]
  if (status !== 'answered' && status !== 'limit') faults.push(`${status}: ${error?.message ?? reason}`)
  const said = steps.flatMap((step) => step.messages.map(({ id }) => id))
  if (
    said.join() !==
    messages
      .slice(messages.length - said.length)
      .map(({ id }) => id)
      .join()
  )
    faults.push('the history is not that of the steps')
  const below = Object.entries(children).flatMap(([name, child]) => faultsOf(child, name))
  return [...faults.map((fault) => `${path}: ${fault}`), ...below]
}

/** So many mixtures that fit, each with a task: the same ones at every run of the test. */
function drawn(fitting: readonly Mixture[], count: number): readonly Sample[] {
  const sample = fc.record({
    mixture: fc.constantFrom(...fitting),
    isEager: fc.boolean(),
    world: fc.constantFrom(...WORLDS),
    rng: fc.integer({ min: 1, max: 5 }),
  })
  const [samples = []] = fc.sample(
    fc.uniqueArray(sample, { minLength: count, maxLength: count, selector: ({ mixture }) => nameOf(mixture) }),
    { numRuns: 1, seed: SEED },
  )
  return samples
}

/** The pairs of modules from two slots that a mixture holds. */
function pairsOf(mixture: Mixture): readonly string[] {
  const named = SLOTS.map((slot) => `${slot} ${mixture[slot]}`)
  return named.flatMap((one, at) => named.slice(at + 1).map((other) => `${one} + ${other}`))
}

/** The samples, and further ones for pairs that are not among them. */
function withEveryPair(samples: readonly Sample[], fitting: readonly Mixture[]): readonly Sample[] {
  const seen = new Set(samples.flatMap(({ mixture }) => pairsOf(mixture)))
  const added: Sample[] = []
  for (const mixture of fitting) {
    if (pairsOf(mixture).every((pair) => seen.has(pair))) continue
    for (const pair of pairsOf(mixture)) seen.add(pair)
    added.push({ mixture, isEager: true, world: 'lookup-chain', rng: 1 })
  }
  return [...samples, ...added]
}

describe('of those that fit', () => {
  let fitting: readonly Mixture[]
  beforeAll(async () => {
    fitting = (await sortOut(allMixtures())).fitting
  }, 60_000)

  test.each(modulesOf('action'))(
    'a sample that holds every pair of modules runs to an end with a valid history: those with %s',
    async (action) => {
      const samples = withEveryPair(drawn(fitting, SAMPLES), fitting)
      expect(new Set(samples.flatMap(({ mixture }) => pairsOf(mixture)))).toEqual(new Set(fitting.flatMap(pairsOf)))
      expect(samples.length).toBeGreaterThanOrEqual(SAMPLES)

      for (const sample of samples.filter(({ mixture }) => mixture.action === action)) {
        expect({ ...sample, faults: faultsOf(await run(sample)) }).toEqual({ ...sample, faults: [] })
      }
    },
    300_000,
  )

  test.each(modulesOf('action'))(
    'a run of a sample goes on from every point as if it had not been interrupted: those with %s',
    async (action) => {
      let points = 0
      let withChildren = 0
      for (const sample of drawn(
        fitting.filter((mixture) => mixture.action === action),
        10,
      )) {
        if (points >= ENOUGH_POINTS) break
        const report = await resumed({ ...sample, isEager: true, world: 'wide-search:large' })
        points += report.points
        withChildren += report.withChildren
        expect({ ...sample, faults: report.faults }).toEqual({ ...sample, faults: [] })
      }
      expect(points).toBeGreaterThanOrEqual(ENOUGH_POINTS)
      if (!ALONE.includes(action)) expect(withChildren).toBeGreaterThan(0)
    },
    300_000,
  )
})

/** The resume law of a sample, on files that no run changes, so that they are the same at every point. */
async function resumed({ mixture, isEager, world, rng }: Sample): Promise<ResumeLawReport> {
  const generated = taskOf(world, rng)
  const { id, offered, remove } = openFiles(generated)
  const said = new Map<string, Promise<ModelResponse>>()
  const fresh = async (journal: Journal): Promise<FreshHarness> => {
    const requests: ModelRequest[] = []
    // Once it has replied to a request the model replies the same, as if one model served all.
    const generate: Model['generate'] = (request, options) => {
      requests.push(request)
      const key = JSON.stringify(request)
      const reply = said.get(key) ?? Promise.resolve(model.generate(request, options))
      said.set(key, reply)
      return reply
    }
    const env = createEnvironment({
      model: { ...model, generate },
      tools: offered(id),
      clock: createVirtualClock(),
      newId: () => 'run',
      strict: true,
      journal,
      limits: { steps: 8, depth: 2, tokens: 20_000_000 },
    })
    return { harness: await assemble(manifestOf(mixture, isEager), { catalog, env }), requests }
  }
  try {
    return await resumeLaw({ task: generated.task, seed: rng, fresh })
  } finally {
    remove()
  }
}
