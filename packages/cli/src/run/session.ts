import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { parseRng } from '../args/parse-rng.js'
import { homeOf } from '../home.js'
import type { Io } from '../io.js'
import { chooseModel, type ModelChoice } from '../models/choose-model.js'
import { makeLlamaModel } from '../models/llama-model.js'
import { isLlamaName, llamaId } from '../models/llama-name.js'
import { type MadeModel, makeModel } from '../models/make-model.js'
import { createProbeStore } from '../models/probe-store.js'
import { readTask } from '../task/read-task.js'
import { cleanLine } from '../text/clean.js'
import { type Composer, checkHarnessOptions } from './choose-harness.js'
import type { RunSession } from './execute-run.js'
import { type Host, listAndWarn, openHost } from './host.js'
import { moneyNotice } from './host-limits.js'
import { hideSecretsIn } from './secrets.js'

/** What a command line with a task comes down to, before anything of it is run. */
export interface Session extends RunSession {
  readonly limits: HostLimits
  /** The model that composes, where one is named. */
  readonly composer?: Composer
}

/** A session in which nothing is to be done yet. */
export type OpenSession = Omit<Session, 'given'>

/** Reads everything that a command line with a task names, and says which model is used and why. */
export async function openSession(args: Arguments, io: Io): Promise<Session> {
  const open = await openWithoutTask(args, io)
  const given = await readTask(args, io, open.rng)
  // It goes to the journal and to a model as it stands here.
  const task = hideSecretsIn(given.task, open.secrets)
  return { ...open, given: { ...given, task } }
}

/** Reads everything but the task. */
export async function openWithoutTask(args: Arguments, io: Io): Promise<OpenSession> {
  checkHarnessOptions(args)
  const rng = parseRng(args.values['rng'])
  const limits = args.values['limit'] === undefined ? {} : parseLimits(args.values['limit'])
  const host = await openHost(args, io)
  const { config, screen } = host
  const configured = config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const made = await makeModelOf(choice, host)
  screen.line(modelLine(made, choice.why, rng))
  const composer = await composerOf(host, made)
  const priced = composer === undefined ? {} : { metaModel: composer.made.model }
  const notice = moneyNotice({ model: made.model, ...priced, config, limits })
  if (notice !== undefined) screen.progress(notice)
  const packages = listAndWarn(host)
  return {
    ...host,
    ...made,
    ...(composer === undefined ? {} : composing(composer, made)),
    packages,
    rng,
    limits,
  }
}

/** A grammar binds what a model in this process writes, so that one candidate is enough; on a processor it takes its time. */
const IN_PROCESS = { dialect: 'gbnf', candidates: 1, timeoutMs: 600_000 } as const

/** The model of `--meta-model`; the one that runs the task, where it is the same. */
export async function composerOf(host: Host, running: MadeModel): Promise<Composer | undefined> {
  const name = host.args.values['meta-model']
  if (name === undefined) return undefined
  const choice = { name, why: 'named by --meta-model', where: '--meta-model' }
  const isSame = (isLlamaName(name) ? llamaId(name, host.io.cwd) : name) === running.model.id
  const made = isSame ? running : await makeModelOf(choice, host)
  host.screen.line(`composer: ${describeModel(made, choice.why)}`)
  const probes = createProbeStore(homeOf(host.io), running.address)
  return { made, asking: isLlamaName(name) ? IN_PROCESS : {}, probes }
}

function composing(composer: Composer, running: MadeModel): Pick<Session, 'composer' | 'close'> {
  const { close } = composer.made
  if (composer.made === running || close === undefined) return { composer }
  return {
    composer,
    async close() {
      await running.close?.()
      await close()
    },
  }
}

/** The model of a choice, with what the configuration says of it; one in this process is fetched first where that is allowed. */
export async function makeModelOf(choice: ModelChoice, host: Host): Promise<MadeModel> {
  if (isLlamaName(choice.name)) return await makeLlamaModel(choice, host)
  return makeModel(choice, { io: host.io, models: host.config.models })
}

/** Which model, where and why, and the random seed. A simulated model is always called one. */
export function modelLine(made: ShownModel, why: string, rng?: number): string {
  return `model: ${describeModel(made, why)}${rng === undefined ? '' : `; rng ${rng}`}`
}

type ShownModel = Omit<MadeModel, 'fixOf' | 'close'>

function describeModel({ model, address, note }: ShownModel, why: string): string {
  const kind = model.simulated === true ? ' (simulated: no language model)' : ''
  const place = address === undefined ? '' : ` at ${cleanLine(address)}`
  const taken = note === undefined ? '' : `, ${cleanLine(note)}`
  return `${cleanLine(model.id)}${kind}${place}, ${why}${taken}`
}
