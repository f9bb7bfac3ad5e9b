import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { parseRng } from '../args/parse-rng.js'
import type { Config } from '../config/config.js'
import { readConfig } from '../config/read-config.js'
import type { Io } from '../io.js'
import { chooseModel } from '../models/choose-model.js'
import { KEY_VARIABLES } from '../models/endpoints.js'
import { type MadeModel, makeModel } from '../models/make-model.js'
import { tellRetry, tellWarning } from '../output/model-notices.js'
import { Screen } from '../output/screen.js'
import { listPackages, type ProjectPackages } from '../packages/project-packages.js'
import { type GivenTask, readTask } from '../task/read-task.js'
import { cleanLine } from '../text/clean.js'
import { moneyNotice } from './host-limits.js'
import { secretsOf } from './secrets.js'

/** What a command line with a task comes down to, before anything of it is run. */
export interface Session extends MadeModel {
  readonly args: Arguments
  readonly io: Io
  readonly screen: Screen
  readonly config: Config
  readonly packages: ProjectPackages
  readonly rng: number
  readonly limits: HostLimits
  readonly given: GivenTask
  /** Never printed, stored or shown to a model. */
  readonly secrets: readonly string[]
}

/** Reads everything that a command line with a task names, and says which model is used and why. */
export async function openSession(args: Arguments, io: Io): Promise<Session> {
  const screen = new Screen(io, args)
  const rng = parseRng(args.values['rng'])
  const limits = args.values['limit'] === undefined ? {} : parseLimits(args.values['limit'])
  const config = await readConfig(args, io)
  const configured = config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const made = makeModel(choice, {
    io,
    models: config.models,
    onRetry: (info) => tellRetry(info, screen),
    onWarning: (message) => tellWarning(message, screen),
  })
  screen.line(modelLine(made, choice.why, rng))
  const notice = moneyNotice({ model: made.model, config, limits })
  if (notice !== undefined) screen.progress(notice)
  const packages = listPackages(config, io.cwd)
  for (const warning of packages.warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  const given = await readTask(args, io, rng)
  const secrets = secretsOf(io.env, KEY_VARIABLES)
  return { args, io, screen, config, packages, ...made, rng, limits, given, secrets }
}

/** Which model, where and why, and the random seed. A simulated model is always called one. */
export function modelLine({ model, address, note }: Omit<MadeModel, 'fixOf'>, why: string, rng: number): string {
  const kind = model.simulated === true ? ' (simulated: no language model)' : ''
  const place = address === undefined ? '' : ` at ${cleanLine(address)}`
  const taken = note === undefined ? '' : `, ${cleanLine(note)}`
  return `model: ${cleanLine(model.id)}${kind}${place}, ${why}${taken}; rng ${rng}`
}
