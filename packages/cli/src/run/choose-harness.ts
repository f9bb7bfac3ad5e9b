import { resolve } from 'node:path'
import { assemble, type Environment, type Harness, nearestNames, type Task } from '@harnesswright/core'
import { compose, explainComposition } from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import type { Route } from '../output/outcome.js'
import { listSeeds, type Seed } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'

/** A harness that can run, and how it was come by. */
export interface ChosenHarness {
  readonly harness: Harness
  readonly route: Route
  /** Why this one, a line each. */
  readonly explanation: readonly string[]
}

/** What a harness is chosen from. */
export interface HarnessSources {
  readonly args: Pick<Arguments, 'values' | 'switches'>
  readonly cwd: string
  readonly task: Task
  readonly env: Environment
  readonly packages: ProjectPackages
}

/**
 * The harness of a command line: that of a manifest, of a seed, or one composed for the task.
 *
 * @throws HarnessError `E_CLI_USAGE` when several are named, `E_CLI_OPTION` for an unknown scaffold, `E_CLI_FILE`,
 * `E_MANIFEST_*` and `E_PROTOCOL_*` when it cannot be assembled.
 */
export async function chooseHarness(sources: HarnessSources): Promise<ChosenHarness> {
  const { args, cwd, task, env, packages } = sources
  const { manifest: file, seed: scaffold } = args.values
  const named = [file && '--manifest', scaffold && '--seed', args.switches.has('compose') && '--compose'].filter(
    Boolean,
  )
  if (named.length > 1) throw severalHarnesses(named as string[])
  const { catalog } = packages
  if (file !== undefined) {
    const text = await readTextFile(resolve(cwd, file), { where: '--manifest' })
    const harness = await assemble(text, { catalog, env, origin: 'person' })
    return { harness, route: 'fixed', explanation: [`the manifest of ${file}`] }
  }
  if (scaffold !== undefined) {
    const seed = findSeed(scaffold, listSeeds(packages.installed))
    const harness = await assemble(seed.manifest, { catalog, env, origin: 'host' })
    return { harness, route: 'fixed', explanation: [`the seed ${seed.scaffold} of ${seed.package}`] }
  }
  const composition = await compose(task, { env, catalog })
  return { harness: composition.harness, route: composition.route, explanation: explainComposition(composition) }
}

function findSeed(scaffold: string, seeds: readonly Seed[]): Seed {
  const found = seeds.find((seed) => seed.scaffold === scaffold || seed.package === scaffold)
  if (found !== undefined) return found
  const nearest = nearestNames(
    scaffold,
    seeds.map((seed) => seed.scaffold),
  )
  throw cliError('E_CLI_OPTION', {
    message: `There is no scaffold ${JSON.stringify(scaffold)}.`,
    where: '--seed',
    expected: `an installed scaffold; nearest: ${nearest.join(', ')}`,
    fix: /^-?\d+$/.test(scaffold)
      ? `The random seed is --rng ${scaffold}; --seed names a scaffold.`
      : `Write --seed ${nearest[0] ?? '<scaffold>'}, or see "harnesswright seeds".`,
  })
}

function severalHarnesses(named: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `Several harnesses are named: ${named.join(' and ')}.`,
    where: named.join(', '),
    expected: 'one of --manifest, --seed and --compose',
    fix: 'Leave the others out.',
  })
}
