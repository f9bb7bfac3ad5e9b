import type { Journal, Manifest, ModelRequest, PackageDescription, RunResult, Tool } from '@harnesswright/protocol'
import { assemble } from '../../assemble/assemble.js'
import { createEnvironment } from '../../environment/create-environment.js'
import type { Catalog } from '../../manifest/catalog.js'
import { type ResumeLawReport, resumeLaw } from '../resume-law.js'
import { createScriptedModel, type Script } from '../scripted-model.js'
import { createVirtualClock } from '../virtual-clock.js'
import { type ConformanceCase, check } from './case.js'
import { sampleOf } from './sample.js'
import { lookAt, TRIAL_TOOLS } from './trial.js'

/** What a seed package ships. */
export interface SeedUnderTest {
  /** Its manifest.json. */
  readonly manifest: Manifest
  /** Its harnesswright.json. */
  readonly description: PackageDescription
  /** What `describePackage` of plugin-manifest says of its code. */
  readonly fromCode: PackageDescription
  /** A catalog of the packages that its manifest names, its own too. */
  readonly catalog: Catalog
}

/** What every seed must keep: its files agree with its code, and its manifest runs. */
export function seedConformance(seed: SeedUnderTest): readonly ConformanceCase[] {
  return [
    {
      name: 'SEED-1 has a harnesswright.json that says what its code is',
      run: async () => {
        check(
          JSON.stringify(seed.fromCode) === JSON.stringify(seed.description),
          'harnesswright.json differs from the code',
        )
      },
    },
    {
      name: 'SEED-2 has a manifest without problems',
      run: async () => {
        const { problems } = await seed.catalog.read(JSON.stringify(seed.manifest))
        check(problems.length === 0, problems.map((problem) => `${problem.pointer}: ${problem.message}`).join('; '))
      },
    },
    {
      name: 'SEED-3 runs its manifest to an answer in strict mode',
      run: async () => {
        const { status, reason, error } = await runSeed(seed)
        check(status === 'answered', `the run ended as ${status}: ${error?.message ?? reason}`)
      },
    },
    {
      name: 'SEED-4 ends at a limit with its reason, the transcript and no invented answer (D15.11)',
      run: async () => {
        const { status, reason, steps } = await runSeed(seed, 2)
        check(status === 'limit' && reason === 'steps', `the run ended as ${status} (${reason})`)
        check(steps.length >= 2, 'the transcript is not there')
      },
    },
    {
      name: 'SEED-5 goes on from where something was durable, as if nothing had happened: the resume law',
      run: async () => {
        const { faults, points } = await lawOf(seed)
        check(faults.length === 0, `${faults.length} faults at ${points} points: ${faults.slice(0, 3).join('; ')}`)
        check(points > 5, `the run has ${points} points at which something is durable: too few to say anything`)
      },
    },
  ]
}

/** Pages that a model looks at in the trial of the resume law, each of which fills a third of its window. */
const LAW_PAGES = 3
const LAW_WINDOW_TOKENS = 3_000
/** Points of the law that are all tried, and then every so many: of a tree of runs they would be hundreds. */
const LAW_FIRST_POINTS = 20
const LAW_EVERY = 7

/** The resume law on a short run in a small window, so that memories have to do something. */
async function lawOf(seed: SeedUnderTest): Promise<ResumeLawReport> {
  const said = new Map<string, Script>()
  let acts = 0
  // Once it has replied to a request it replies the same, in every process: a function of the request.
  const reply = (request: ModelRequest): Script => {
    const key = JSON.stringify(request)
    const known = said.get(key) ?? sayNext(request, () => (acts++ < LAW_PAGES ? lookAt(acts) : 'That is all.'))
    said.set(key, known)
    return known
  }
  const tools = TRIAL_TOOLS.map(
    (tool): Tool => ({
      ...tool,
      idempotent: true,
      execute: ({ page }: { page: number }) => `Page ${page}: ${`line of page ${page}. `.repeat(200)}`,
    }),
  )
  return await resumeLaw({
    task: 'Look at every page and say what is on the last.',
    seed: 7,
    async fresh(journal) {
      const model = createScriptedModel([], { contextWindow: LAW_WINDOW_TOKENS, maxOutputTokens: 500, after: reply })
      let entries = 0
      const some: Journal = {
        append: (entry) =>
          entries++ < LAW_FIRST_POINTS || entries % LAW_EVERY === 0 ? journal.append(entry) : undefined,
      }
      const clock = createVirtualClock()
      const env = createEnvironment({ model, tools, clock, strict: true, newId: () => 'trial', journal: some })
      return { harness: await assemble(seed.manifest, { catalog: seed.catalog, env }), requests: model.requests }
    },
  })
}

/** What the model of a trial says: as it is told when it is to act, else the smallest JSON of the schema, or a sentence. */
function sayNext(request: ModelRequest, act: () => Script): Script {
  if (request.purpose === 'act') return act()
  return request.schema === undefined ? 'Pages were looked at.' : JSON.stringify(sampleOf(request.schema))
}

async function runSeed(seed: SeedUnderTest, steps?: number): Promise<RunResult> {
  let acts = 0
  const model = createScriptedModel([], {
    contextWindow: 6_000,
    after: (request) => sayNext(request, () => (acts++ < 10 ? lookAt(acts) : 'The last page is 10.')),
  })
  const env = createEnvironment({ model, tools: TRIAL_TOOLS, clock: createVirtualClock(), strict: true })
  const harness = await assemble(seed.manifest, { catalog: seed.catalog, env })
  const limits = steps === undefined ? {} : { limits: { steps } }
  return await harness.run('Look at every page and say what is on the last.', limits).result
}
