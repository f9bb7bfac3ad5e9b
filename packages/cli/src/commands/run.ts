import type { Arguments } from '../args/parse-arguments.js'
import { withBank } from '../bank/run-bank.js'
import type { ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { executeRun } from '../run/execute-run.js'
import { prepareRun } from '../run/prepare-run.js'
import { openSession } from '../run/session.js'
import { sayHarness, tellRun } from './tell-run.js'

/** `run [task]`: composes or takes a harness, runs the task, prints the answer. */
export async function runCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const session = await openSession(args, io)
  return await withBank(session, async (bank) => {
    const executed = await executeRun(session, {
      prepare: () => prepareRun(session, bank),
      onReady: (prepared) => sayHarness(prepared, session),
    })
    const code = tellRun(executed, session)
    await bank?.remember(executed)
    return code
  })
}
