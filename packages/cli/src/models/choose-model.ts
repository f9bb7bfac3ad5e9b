import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'

/** A name of a model, and why it is that one. */
export interface ModelChoice {
  readonly name: string
  readonly why: string
  /** Option, variable or field that named it, for errors. */
  readonly where: string
}

/** Used when nothing names a model. */
export const DEFAULT_MODEL = 'sim-mid'

/** What a choice depends on. */
export interface ModelSources {
  readonly args: Arguments
  readonly io: Pick<Io, 'env'>
  /** `defaults.model` of the configuration. */
  readonly configured?: string
}

/**
 * Which model: `--model`, else `HARNESSWRIGHT_MODEL`, else the configuration's, else the one of the `OPENAI_…` variables,
 * else the simulated one.
 *
 * @throws HarnessError `E_CLI_MODEL` when an endpoint is set without a model.
 */
export function chooseModel({ args, io: { env }, configured }: ModelSources): ModelChoice {
  const option = args.values['model']
  if (option !== undefined) return { name: option, why: 'named by --model', where: '--model' }
  const variable = env['HARNESSWRIGHT_MODEL']
  if (variable) return { name: variable, why: 'named by HARNESSWRIGHT_MODEL', where: 'HARNESSWRIGHT_MODEL' }
  if (configured !== undefined) return { name: configured, why: 'named by the configuration', where: 'defaults.model' }
  const endpoint = (['OPENAI_API_KEY', 'OPENAI_BASE_URL'] as const).find((name) => env[name])
  if (endpoint === undefined) return { name: DEFAULT_MODEL, why: 'nothing names another', where: 'the default' }
  const name = env['OPENAI_MODEL']
  if (name)
    return { name: `openai:${name}`, why: `named by OPENAI_MODEL, as ${endpoint} is set`, where: 'OPENAI_MODEL' }
  throw cliError('E_CLI_MODEL', {
    message: `${endpoint} is set, and nothing names a model.`,
    where: endpoint,
    expected: 'a model named by OPENAI_MODEL, HARNESSWRIGHT_MODEL or --model',
    fix: `Set OPENAI_MODEL, or use the simulated model with --model ${DEFAULT_MODEL}.`,
  })
}
