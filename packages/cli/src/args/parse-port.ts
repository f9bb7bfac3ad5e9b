import { cliError } from '../errors/cli-error.js'

const LARGEST = 65_535

/** The port of `--port`. Default 0: any that is free. */
export function parsePort(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,5}$/.test(text) && Number(text) <= LARGEST) return Number(text)
  throw cliError('E_CLI_OPTION', {
    message: `--port ${JSON.stringify(text)} is no port.`,
    where: '--port',
    expected: `a number from 0 to ${LARGEST}`,
    fix: 'Write --port 8080, or leave it out for any port that is free.',
  })
}
