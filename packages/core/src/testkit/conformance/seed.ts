import { assemble } from '../../assemble/assemble.js'
import { createEnvironment } from '../../environment/create-environment.js'
import { type CatalogPackage, createCatalog } from '../../manifest/catalog.js'
import { describePackage } from '../../manifest/describe.js'
import { validateManifest } from '../../manifest/validate.js'
import { isModule } from '../../module/define-module.js'
import type { Module } from '../../module/module.js'
import type { Manifest, PackageDescription, RunResult } from '../../protocol/index.js'
import { createScriptedModel } from '../scripted-model.js'
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
  /** What it exports. */
  readonly exports: Readonly<Record<string, unknown>>
  /** The packages its manifest names, its own too. */
  readonly packages: readonly CatalogPackage[]
}

/** What every seed must keep: its files agree with its code, and its manifest runs. */
export function seedConformance(seed: SeedUnderTest): readonly ConformanceCase[] {
  const catalog = createCatalog(seed.packages)
  return [
    {
      name: 'SEED-1 has a harnesswright.json that says what its code is',
      run: async () => {
        const modules = Object.fromEntries(
          Object.entries(seed.exports).filter(([, value]) => isModule(value)),
        ) as Record<string, Module>
        const { name, authority } = seed.description
        const fromCode = describePackage({ name, authority, modules })
        check(JSON.stringify(fromCode) === JSON.stringify(seed.description), 'harnesswright.json differs from the code')
      },
    },
    {
      name: 'SEED-2 has a manifest without problems',
      run: async () => {
        const problems = await validateManifest(seed.manifest, { catalog })
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
  ]
}

async function runSeed(seed: SeedUnderTest, steps?: number): Promise<RunResult> {
  let acts = 0
  const model = createScriptedModel([], {
    contextWindow: 6_000,
    after: (request) => {
      if (request.purpose === 'act') return acts++ < 10 ? lookAt(acts) : 'The last page is 10.'
      return request.schema === undefined ? 'Pages were looked at.' : JSON.stringify(sampleOf(request.schema))
    },
  })
  const env = createEnvironment({ model, tools: TRIAL_TOOLS, clock: createVirtualClock(), strict: true })
  const harness = await assemble(seed.manifest, { catalog: createCatalog(seed.packages), env })
  const limits = steps === undefined ? {} : { limits: { steps } }
  return await harness.run('Look at every page and say what is on the last.', limits).result
}
