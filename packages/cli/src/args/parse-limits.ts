import { type Limits, nearestNames } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'

/** Limits that a host may set on a command line or in a configuration. */
export const LIMIT_NAMES = ['steps', 'tokens', 'usd', 'ms'] as const

type LimitName = (typeof LIMIT_NAMES)[number]

/** Limits of the host. */
export type HostLimits = Partial<Pick<Limits, LimitName>>

/**
 * Reads `steps=40,tokens=200000,usd=0.5,ms=120000`.
 *
 * @throws HarnessError `E_CLI_OPTION` when a name is unknown or stands twice, or a number is not one.
 */
export function parseLimits(text: string): HostLimits {
  const limits: { -readonly [Name in LimitName]?: number } = {}
  for (const part of text.split(',')) {
    const [name = '', value, ...more] = part.split('=')
    if (!isLimitName(name)) throw unknownLimit(name)
    if (limits[name] !== undefined) throw wrongLimit(part, `${name} once`)
    if (value === undefined || more.length > 0) throw wrongLimit(part, `${name}=<number>`)
    limits[name] = readNumber(name, value, part)
  }
  return limits
}

function isLimitName(name: string): name is LimitName {
  return (LIMIT_NAMES as readonly string[]).includes(name)
}

function readNumber(name: LimitName, value: string, part: string): number {
  const isMoney = name === 'usd'
  const form = isMoney ? /^\d+(\.\d+)?$/ : /^[1-9]\d*$/
  const number = Number(value)
  if (form.test(value) && (isMoney ? Number.isFinite(number) : Number.isSafeInteger(number))) return number
  throw wrongLimit(part, isMoney ? 'an amount such as usd=0.5' : `a positive whole number, such as ${name}=40`)
}

function unknownLimit(name: string): Error {
  const [nearest] = nearestNames(name, LIMIT_NAMES)
  return cliError('E_CLI_OPTION', {
    message: `There is no limit ${JSON.stringify(name)}.`,
    where: '--limit',
    expected: `limits named ${LIMIT_NAMES.join(', ')}, with commas between them; nearest: ${nearest}`,
    fix: `Write --limit ${nearest}=<number>.`,
  })
}

function wrongLimit(part: string, expected: string): Error {
  return cliError('E_CLI_OPTION', {
    message: `${JSON.stringify(part)} is not a limit.`,
    where: '--limit',
    expected,
    fix: 'Write the limits as steps=40,tokens=200000,usd=0.5,ms=120000; any of them may be left out.',
  })
}
