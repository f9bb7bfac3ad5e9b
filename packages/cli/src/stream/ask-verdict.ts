import type { RunResult } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import type { Screen } from '../output/screen.js'
import { cleanText } from '../text/clean.js'
import type { CliTask } from './tasks.js'

/** Characters of an answer that a person is shown. */
const SHOWN_CHARS = 4_000

/**
 * Asks a person on the terminal what an answer is worth: y, n, or a number from 0 to 1. One question at a time.
 *
 * @throws HarnessError `E_CLI_USAGE` where there is no terminal.
 */
export function askVerdict(io: Io, screen: Screen): (task: CliTask, result: RunResult) => Promise<number> {
  if (!io.isTTY.stdin || !io.isTTY.stderr) {
    throw cliError('E_CLI_USAGE', {
      message: 'There is no terminal on which a person could be asked.',
      where: '--verifier person',
      expected: 'a terminal, or --verifier check',
      fix: 'Leave --verifier out.',
    })
  }
  let before: Promise<unknown> = Promise.resolve()
  return (task, result) => {
    const asked = before.then(() => askOnce(task, result, { io, screen }))
    before = asked.catch(() => undefined)
    return asked
  }
}

async function askOnce(
  { id }: CliTask,
  { answer }: RunResult,
  { io, screen }: { readonly io: Io; readonly screen: Screen },
): Promise<number> {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  screen.line(cleanText(`${id}: ${text.slice(0, SHOWN_CHARS)}`))
  for (;;) {
    const reply = (await io.ask('Is this right? y, n, or from 0 to 1: ')).trim().toLowerCase()
    if (reply === 'y' || reply === 'yes') return 1
    if (reply === 'n' || reply === 'no' || reply === '') return 0
    const value = Number(reply)
    if (value >= 0 && value <= 1) return value
  }
}
