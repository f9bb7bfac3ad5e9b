import { basename } from 'node:path'
import type { Arguments } from '../args/parse-arguments.js'
import { chatOf } from '../chat/chat-store.js'
import { cliError } from '../errors/cli-error.js'
import type { ExitCode } from '../exit-codes.js'
import { homeOf } from '../home.js'
import type { Io } from '../io.js'
import { claimRun } from '../run/claim-run.js'
import { executeRun } from '../run/execute-run.js'
import { findRun } from '../run/find-run.js'
import { openResumed } from '../run/open-resumed.js'
import { prepareResumed } from '../run/prepare-resumed.js'
import { sayHarness, tellRun } from './tell-run.js'

/** `resume <snapshot>`: goes on with a run that was killed or interrupted, that failed, or that waits for a person. */
export async function resumeCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [named, ...more] = args.positionals
  if (named === undefined || more.length > 0) throw wrongRuns(args.positionals)
  const found = findRun(named, io.cwd, homeOf(io))
  const chat = chatOf(found.path)
  if (chat !== undefined) throw isChat(chat)
  const unclaim = claimRun(found.path)
  try {
    const session = await openResumed(found, args, io)
    const executed = await executeRun(session, {
      prepare: () => prepareResumed(session),
      onReady: (prepared) => sayHarness(prepared, session),
    })
    return tellRun(executed, session)
  } finally {
    unclaim()
  }
}

function isChat(directory: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `${directory} is a chat, whose turns go on together.`,
    where: 'harnesswright resume',
    expected: 'a run of "harnesswright run"',
    fix: `Write "harnesswright chat --resume ${basename(directory)}".`,
  })
}

function wrongRuns(words: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: words.length === 0 ? 'No run is named.' : `${words.length} runs are named.`,
    where: 'harnesswright resume',
    expected: 'the id of one run, its directory, or a file in that',
    fix: 'Write "harnesswright resume <run>"; a run says its id when it ends, and its directory is in HARNESSWRIGHT_HOME/runs.',
  })
}
