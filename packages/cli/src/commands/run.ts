import type { Arguments } from '../args/parse-arguments.js'
import type { ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { executeRun } from '../run/execute-run.js'
import { prepareRun } from '../run/prepare-run.js'
import { openSession } from '../run/session.js'
import { sayHarness, tellRun } from './tell-run.js'

/** `run [task]`: composes or takes a harness, runs the task, prints the answer. */
export async function runCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const session = await openSession(args, io)
  const executed = await executeRun(session, {
    prepare: () => prepareRun(session),
    onReady: (prepared) => sayHarness(prepared, session),
  })
  return tellRun(executed, session)
}
