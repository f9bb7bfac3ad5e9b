import { cliError } from '../errors/cli-error.js'

const MOST = 100_000

/**
 * The number of an option that counts something.
 *
 * @throws HarnessError `E_CLI_OPTION` when it is none from 1 to 100,000.
 */
export function parseCount(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= MOST) return Number(text)
  throw cliError('E_CLI_OPTION', {
    message: `--${name} ${JSON.stringify(text)} is no count.`,
    where: `--${name}`,
    expected: `a whole number from 1 to ${MOST}`,
    fix: `Write --${name} ${usual}, or another whole number.`,
  })
}
