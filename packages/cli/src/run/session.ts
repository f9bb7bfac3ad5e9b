import type { Model } from '@harnesswright/core'
import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { parseRng } from '../args/parse-rng.js'
import type { Config } from '../config/config.js'
import { readConfig } from '../config/read-config.js'
import type { Io } from '../io.js'
import { chooseModel } from '../models/choose-model.js'
import { makeModel } from '../models/make-model.js'
import { Screen } from '../output/screen.js'
import { listPackages, type ProjectPackages } from '../packages/project-packages.js'
import { type GivenTask, readTask } from '../task/read-task.js'
import { cleanLine } from '../text/clean.js'

/** What a command line with a task comes down to, before anything of it is run. */
export interface Session {
  readonly args: Arguments
  readonly io: Io
  readonly screen: Screen
  readonly config: Config
  readonly packages: ProjectPackages
  readonly model: Model
  readonly rng: number
  readonly limits: HostLimits
  readonly given: GivenTask
}

/** Reads everything that a command line with a task names, and says which model is used and why. */
export async function openSession(args: Arguments, io: Io): Promise<Session> {
  const screen = new Screen(io, args)
  const rng = parseRng(args.values['rng'])
  const limits = args.values['limit'] === undefined ? {} : parseLimits(args.values['limit'])
  const config = await readConfig(args, io)
  const configured = config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const model = makeModel(choice)
  screen.line(modelLine(model, choice.why, rng))
  const packages = listPackages(config, io.cwd)
  for (const warning of packages.warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  const given = await readTask(args, io, rng)
  return { args, io, screen, config, packages, model, rng, limits, given }
}

/** Which model and why, and the random seed. A simulated model is always called one. */
export function modelLine({ id, simulated }: Model, why: string, rng: number): string {
  const kind = simulated === true ? ' (simulated: no language model)' : ''
  return `model: ${cleanLine(id)}${kind}, ${why}; rng ${rng}`
}
