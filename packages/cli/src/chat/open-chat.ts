import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nearestNames } from '@harnesswright/core'
import { generateTask } from '@harnesswright/plugin-worlds'
import type { Arguments } from '../args/parse-arguments.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { cliError } from '../errors/cli-error.js'
import { homeOf } from '../home.js'
import type { Io } from '../io.js'
import { claimRun } from '../run/claim-run.js'
import { listAndWarn, openHost } from '../run/host.js'
import { limitsOf, moneyNotice } from '../run/host-limits.js'
import { sameModel } from '../run/open-resumed.js'
import { readCard } from '../run/run-card.js'
import { isRunId, openTrace } from '../run/run-store.js'
import { type OpenSession, openWithoutTask } from '../run/session.js'
import { readTask } from '../task/read-task.js'
import { type ChatInput, chatInput } from './chat-input.js'
import { ChatLimits } from './chat-limits.js'
import type { ChatSession, KeptChat, Saying } from './chat-session.js'
import { chatOf, readChat } from './chat-store.js'

/** What a command line comes down to, before anything is said. */
export interface OpenedChat {
  readonly session: ChatSession
  readonly input: ChatInput
  /** The first message, where the command line names one. */
  readonly first?: Saying
  /** The chat that goes on. */
  readonly kept?: KeptChat
}

/** What a chat that goes on has already. */
const KEPT_OPTIONS = [
  'manifest',
  'seed',
  'compose',
  'meta-model',
  'task-file',
  'world',
  'rng',
  'real-time',
  'workspace',
  'allow-project-files',
]

/**
 * Reads everything that a command line names, and says which model is used and why.
 *
 * @throws HarnessError `E_CLI_USAGE` for options that do not go together, `E_CLI_RESUME` when a chat cannot go on, and what
 * options of a run throw.
 */
export async function openChat(args: Arguments, io: Io): Promise<OpenedChat> {
  const id = args.values['resume']
  if (id === undefined) {
    const open = await openWithoutTask(args, io)
    const given = await firstOf(args, io, open.rng)
    return { ...sessionOf(open), ...(given === undefined ? {} : { first: given }) }
  }
  refuseKept(args)
  const { kept, open } = await openKept(id, args, io)
  const given = await firstOf(args, io, open.rng)
  return { ...sessionOf(open), kept, ...(given === undefined ? {} : { first: given }) }
}

/** The message of the command line. Without one, what is typed or piped is the first. */
async function firstOf(args: Arguments, io: Io, rng: number): Promise<Saying | undefined> {
  const isGiven =
    args.positionals.length > 0 || args.values['task-file'] !== undefined || args.values['world'] !== undefined
  return isGiven ? await readTask(args, io, rng) : undefined
}

function sessionOf(open: OpenSession): Pick<OpenedChat, 'session' | 'input'> {
  const { args, io, screen, secrets } = open
  const input = chatInput(io, screen)
  const asked = args.values['trace']
  const trace = asked === undefined ? {} : { trace: openTrace(resolve(io.cwd, asked), secrets) }
  return { input, session: { ...open, ...trace, asker: input.asker, chatLimits: new ChatLimits(overAll(open)) } }
}

/** Limits of the command line are over all turns, and so is the one of money that is there where no other is. */
function overAll({ model, composer, config, limits }: OpenSession): HostLimits {
  const metaModel = composer === undefined ? {} : { metaModel: composer.made.model }
  const { usd } = limitsOf({ model, ...metaModel, config, limits })
  const isUsual = limits.usd === undefined && config.defaults.limits.usd === undefined && usd !== undefined
  return isUsual ? { ...limits, usd } : limits
}

async function openKept(id: string, args: Arguments, io: Io): Promise<{ kept: KeptChat; open: OpenSession }> {
  const path = findChat(id, homeOf(io))
  const unclaim = claimRun(path)
  try {
    const run = await readCard(path)
    const { card, turns } = await readChat(path)
    const { rng } = run
    const world = run.world === undefined ? undefined : generateTask(run.world, { rng })
    const limits = args.values['limit'] === undefined ? {} : parseLimits(args.values['limit'])
    const host = await openHost(args, io)
    const made = await sameModel(run, host)
    const notice = moneyNotice({ model: made.model, config: host.config, limits })
    if (notice !== undefined) host.screen.progress(notice)
    const open = { ...host, ...made, packages: listAndWarn(host), rng, limits }
    return { open, kept: { directory: { id, path, isOurs: true }, run, card, turns, world, unclaim } }
  } catch (error) {
    unclaim()
    throw error
  }
}

/** The directory of a chat, by its id alone: what it names is taken as ours. */
function findChat(id: string, home: string): string {
  const runs = join(home, 'runs')
  const isChat = (name: string): boolean => isRunId(name) && chatOf(join(runs, name)) === join(runs, name)
  if (isChat(id)) return join(runs, id)
  const chats = existsSync(runs) ? readdirSync(runs).filter(isChat).sort().reverse() : []
  const nearest = isRunId(id) ? nearestNames(id, chats, 3) : chats.slice(0, 3)
  throw cliError('E_CLI_RESUME', {
    message: `There is no chat ${JSON.stringify(id)}.`,
    where: '--resume',
    expected: `the id of a chat in ${runs}${nearest.length === 0 ? '' : `; ${isRunId(id) ? 'nearest' : 'the newest'}: ${nearest.join(', ')}`}`,
    fix:
      nearest[0] === undefined
        ? 'Begin one: harnesswright chat.'
        : `Write "harnesswright chat --resume ${nearest[0]}".`,
  })
}

function refuseKept({ values, switches }: Arguments): void {
  const given = KEPT_OPTIONS.filter((name) => values[name] !== undefined || switches.has(name)).map(
    (name) => `--${name}`,
  )
  if (given.length === 0) return
  throw cliError('E_CLI_USAGE', {
    message: `--resume goes on with the harness, the workspace and the random seed of the chat, and ${given.join(', ')} would be another.`,
    where: given.join(', '),
    expected: '--resume with --model, --limit, --trace and options of output',
    fix: 'Leave it out, or begin a new chat without --resume.',
  })
}
