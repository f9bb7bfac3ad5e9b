import { type JsonObject, nearestNames } from '@harnesswright/core'
import { type HostLimits, LIMIT_NAMES } from '../args/parse-limits.js'
import { cliError } from '../errors/cli-error.js'
import type { Config } from './config.js'

/** A name that npm takes. It cannot hold `..` or begin with a slash or a dot. */
const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/**
 * Checks what a configuration file holds.
 *
 * @throws HarnessError `E_CLI_CONFIG` at the first field that is not as it must be.
 */
export function checkConfig(value: unknown, file: string): Config {
  const place: Place = { file, pointer: '' }
  const config = asObject(value, place)
  knownFields(config, ['$schema', 'packages', 'defaults', 'options'], place)
  const defaults = asObject(config['defaults'] ?? {}, at(place, 'defaults'))
  knownFields(defaults, ['model', 'limits'], at(place, 'defaults'))
  const model = defaults['model']
  return {
    packages: checkPackages(config['packages'] ?? [], at(place, 'packages')),
    defaults: {
      ...(model === undefined ? {} : { model: asText(model, at(place, 'defaults/model')) }),
      limits: checkLimits(defaults['limits'] ?? {}, at(place, 'defaults/limits')),
    },
    options: checkOptions(config['options'] ?? {}, at(place, 'options')),
  }
}

interface Place {
  readonly file: string
  readonly pointer: string
}

function at({ file, pointer }: Place, name: string): Place {
  return { file, pointer: `${pointer}/${name}` }
}

function checkPackages(value: unknown, place: Place): readonly string[] {
  if (!Array.isArray(value)) throw wrong(value, 'a list of package names', place)
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || !PACKAGE_NAME.test(name))
      throw wrong(name, 'the name of a package', at(place, String(index)))
  }
  return [...new Set(value as string[])] // each was seen to be a string
}

function checkLimits(value: unknown, place: Place): HostLimits {
  const limits = asObject(value, place)
  knownFields(limits, LIMIT_NAMES, place)
  for (const [name, limit] of Object.entries(limits)) {
    const isRight =
      typeof limit === 'number' && (name === 'usd' ? limit >= 0 : Number.isSafeInteger(limit) && limit > 0)
    if (!isRight) throw wrong(limit, name === 'usd' ? 'an amount in USD' : 'a positive whole number', at(place, name))
  }
  return limits as HostLimits // its fields were checked one by one
}

function checkOptions(value: unknown, place: Place): Config['options'] {
  const options = asObject(value, place)
  const checked = Object.entries(options).map(([use, one]) => {
    const pointer = at(place, use.replaceAll('~', '~0').replaceAll('/', '~1'))
    return [use, asObject(one, pointer) as JsonObject] as const // a configuration is read from JSON, or copied as JSON
  })
  return Object.fromEntries(checked)
}

function asObject(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw wrong(value, 'an object', place)
}

function asText(value: unknown, place: Place): string {
  if (typeof value === 'string' && value !== '') return value
  throw wrong(value, 'a text', place)
}

function knownFields(value: Readonly<Record<string, unknown>>, known: readonly string[], place: Place): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const [nearest] = nearestNames(unknown, known)
  throw cliError('E_CLI_CONFIG', {
    message: `The configuration has an unknown field ${JSON.stringify(unknown)}.`,
    where: `${place.file}#${place.pointer}`,
    expected: `fields named ${known.join(', ')}`,
    fix: `Write "${nearest}", or remove it.`,
  })
}

function wrong(value: unknown, expected: string, { file, pointer }: Place): Error {
  const found = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 80)
  return cliError('E_CLI_CONFIG', {
    message: `The configuration has ${found} where ${expected} was expected.`,
    where: `${file}#${pointer}`,
    expected,
    fix: `Put ${expected} there.`,
  })
}
