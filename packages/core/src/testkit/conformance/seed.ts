import type { Manifest, PackageDescription, RunResult } from '@harnesswright/protocol'
import { assemble } from '../../assemble/assemble.js'
import { createEnvironment } from '../../environment/create-environment.js'
import type { Catalog } from '../../manifest/catalog.js'
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
  const harness = await assemble(seed.manifest, { catalog: seed.catalog, env })
  const limits = steps === undefined ? {} : { limits: { steps } }
  return await harness.run('Look at every page and say what is on the last.', limits).result
}
