import { cliError } from '../errors/cli-error.js'

/** The random seed of `--rng`. Default 1. */
export function parseRng(text: string | undefined): number {
  if (text === undefined) return 1
  const rng = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(rng)) return rng
  throw cliError('E_CLI_OPTION', {
    message: `--rng ${JSON.stringify(text)} is not an integer.`,
    where: '--rng',
    expected: 'a whole number',
    fix: 'Write --rng 1, or another whole number.',
  })
}
