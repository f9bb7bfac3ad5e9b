import type { JsonObject } from '@harnesswright/core'
import { type HostLimits, LIMIT_NAMES } from '../args/parse-limits.js'
import { checkModels } from './check-models.js'
import type { Config } from './config.js'
import { asObject, asText, at, knownFields, type Place, wrong } from './place.js'

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
  knownFields(config, ['$schema', 'packages', 'defaults', 'models', 'options', 'skills'], place)
  const defaults = asObject(config['defaults'] ?? {}, at(place, 'defaults'))
  knownFields(defaults, ['model', 'limits'], at(place, 'defaults'))
  const model = defaults['model']
  return {
    packages: checkPackages(config['packages'] ?? [], at(place, 'packages')),
    defaults: {
      ...(model === undefined ? {} : { model: asText(model, at(at(place, 'defaults'), 'model')) }),
      limits: checkLimits(defaults['limits'] ?? {}, at(at(place, 'defaults'), 'limits')),
    },
    models: checkModels(config['models'] ?? {}, at(place, 'models')),
    options: checkOptions(config['options'] ?? {}, at(place, 'options')),
    skills: checkFolders(config['skills'] ?? [], at(place, 'skills')),
  }
}

function checkPackages(value: unknown, place: Place): readonly string[] {
  if (!Array.isArray(value)) throw wrong(value, 'a list of package names', place)
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || !PACKAGE_NAME.test(name))
      throw wrong(name, 'the name of a package', at(place, String(index)))
  }
  return [...new Set(value as string[])] // each was seen to be a string
}

function checkFolders(value: unknown, place: Place): readonly string[] {
  if (!Array.isArray(value)) throw wrong(value, 'a list of folders', place)
  return value.map((folder, index) => asText(folder, at(place, String(index))))
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
  const checked = Object.entries(options).map(
    // a configuration is read from JSON, or copied as JSON
    ([use, one]) => [use, asObject(one, at(place, use)) as JsonObject] as const,
  )
  return Object.fromEntries(checked)
}
