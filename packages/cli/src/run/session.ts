import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { parseRng } from '../args/parse-rng.js'
import type { Io } from '../io.js'
import { chooseModel, type ModelChoice } from '../models/choose-model.js'
import { isLlamaName, makeLlamaModel } from '../models/llama-model.js'
import { type MadeModel, makeModel } from '../models/make-model.js'
import { readTask } from '../task/read-task.js'
import { cleanLine } from '../text/clean.js'
import type { RunSession } from './execute-run.js'
import { type Host, listAndWarn, openHost } from './host.js'
import { moneyNotice } from './host-limits.js'

/** What a command line with a task comes down to, before anything of it is run. */
export interface Session extends RunSession {
  readonly limits: HostLimits
}

/** Reads everything that a command line with a task names, and says which model is used and why. */
export async function openSession(args: Arguments, io: Io): Promise<Session> {
  const rng = parseRng(args.values['rng'])
  const limits = args.values['limit'] === undefined ? {} : parseLimits(args.values['limit'])
  const host = await openHost(args, io)
  const { config, screen } = host
  const configured = config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const made = await makeModelOf(choice, host)
  screen.line(modelLine(made, choice.why, rng))
  const notice = moneyNotice({ model: made.model, config, limits })
  if (notice !== undefined) screen.progress(notice)
  const packages = listAndWarn(host)
  const given = await readTask(args, io, rng)
  return { ...host, ...made, packages, rng, limits, given }
}

/** The model of a choice, with what the configuration says of it; one in this process is fetched first where that is allowed. */
export async function makeModelOf(choice: ModelChoice, host: Host): Promise<MadeModel> {
  if (isLlamaName(choice.name)) return await makeLlamaModel(choice, host)
  return makeModel(choice, { io: host.io, models: host.config.models })
}

/** Which model, where and why, and the random seed. A simulated model is always called one. */
export function modelLine(
  { model, address, note }: Omit<MadeModel, 'fixOf' | 'close'>,
  why: string,
  rng?: number,
): string {
  const kind = model.simulated === true ? ' (simulated: no language model)' : ''
  const place = address === undefined ? '' : ` at ${cleanLine(address)}`
  const taken = note === undefined ? '' : `, ${cleanLine(note)}`
  return `model: ${cleanLine(model.id)}${kind}${place}, ${why}${taken}${rng === undefined ? '' : `; rng ${rng}`}`
}
