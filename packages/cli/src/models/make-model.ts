import { type Model, nearestNames } from '@harnesswright/core'
import { createSimModel, type SimProfile, simModels } from '@harnesswright/plugin-model-sim'
import { cliError } from '../errors/cli-error.js'
import type { ModelChoice } from './choose-model.js'

/** Packages that bring models by the name before the colon. None of them is in this version. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: '@harnesswright/plugin-model-openai',
  ollama: '@harnesswright/plugin-model-openai',
  llama: '@harnesswright/plugin-model-llama',
  replay: '@harnesswright/plugin-model-replay',
}

/**
 * The model of a choice.
 *
 * @throws HarnessError `E_CLI_MODEL` when there is no such model, or it comes with a package that is not in this version.
 */
export function makeModel({ name, where }: ModelChoice): Model {
  const profiles = simModels().map(({ id }) => id)
  if (profiles.includes(name)) return createSimModel({ profile: name as SimProfile }) // it is one of their ids
  if (name.startsWith('sim-')) throw unknownProfile(name, where, profiles)
  const [provider = ''] = name.split(':', 1)
  const brings = name.includes(':') ? PROVIDERS[provider] : PROVIDERS['openai']
  throw cliError('E_CLI_MODEL', {
    message:
      brings === undefined
        ? `There is no provider ${JSON.stringify(provider)} of models.`
        : `The model ${JSON.stringify(name)} needs ${brings}, which is not part of this version.`,
    where,
    expected: `a simulated model: ${profiles.join(', ')}`,
    fix: `Use --model ${profiles.includes('sim-mid') ? 'sim-mid' : profiles[0]}: a simulated model, for the tasks of --world.`,
  })
}

function unknownProfile(name: string, where: string, profiles: readonly string[]): Error {
  const [nearest] = nearestNames(name, profiles)
  return cliError('E_CLI_MODEL', {
    message: `There is no simulated model ${JSON.stringify(name)}.`,
    where,
    expected: `one of ${profiles.join(', ')}; nearest: ${nearest}`,
    fix: `Use --model ${nearest}.`,
  })
}
