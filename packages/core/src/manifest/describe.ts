import { HarnessError, messageOf } from '../errors/error.js'
import { isModule } from '../module/define-module.js'
import type { Module } from '../module/module.js'
import type { Authority, JsonObject, ModuleDescription, PackageDescription } from '../protocol/index.js'
import { isRecord, type JsonRecord } from './pointer.js'
import { PROTOCOL } from './protocol-number.js'
import { mapSchemas } from './schema-walk.js'

/** What a package is described from. */
export interface PackageSpec {
  readonly name: string
  /** Default `none`. */
  readonly authority?: Authority
  /** Modules by the name of their export. */
  readonly modules: Readonly<Record<string, Module>>
}

/**
 * Describes a package from its code: what `harnesswright.json` holds. The same code always gives the same text.
 *
 * @throws HarnessError `E_PROTOCOL_MODULE` when an export is no module, its options are no JSON Schema of an object, an
 * option has no description, or a part of an option is marked for the host.
 */
export function describePackage({ name, authority = 'none', modules }: PackageSpec): PackageDescription {
  const described = Object.entries(modules).map(([key, module]) => [key, describeModule(module, `${name}#${key}`)])
  return { name, protocol: PROTOCOL, authority, modules: Object.fromEntries(described) }
}

function describeModule(module: Module, use: string): ModuleDescription {
  if (!isModule(module)) throw refused(use, 'it is no module')
  const { slot, summary, prompts = {}, requires = [], provides = [], observer, breaksPrefix } = module
  return {
    slot,
    summary,
    ...describeOptions(module, use),
    prompts: { ...prompts },
    requires: [...requires],
    provides: [...provides],
    ...(observer === true ? { observer } : {}),
    ...(breaksPrefix === true ? { breaksPrefix } : {}),
  }
}

/** The options that a manifest may set as JSON Schema, and the names of those that only the host may. */
function describeOptions(module: Module, use: string): Pick<ModuleDescription, 'options' | 'host'> {
  const { $schema, properties = {}, required = [], ...rest } = writeSchema(module, use)
  if (rest['type'] !== 'object' || !isRecord(properties) || !Array.isArray(required))
    throw refused(use, 'its options are no object')
  const options = Object.entries(properties).map(([name, option]) => ({ name, option: isRecord(option) ? option : {} }))
  const undescribed = options.find(
    ({ option }) => typeof option['description'] !== 'string' || option['description'] === '',
  )
  if (undescribed !== undefined) throw refused(use, `its option "${undescribed.name}" has no description`)
  const host = options.filter(({ option }) => option['host'] === true).map(({ name }) => name)
  const own = options.filter(({ name }) => !host.includes(name)).map(({ name, option }) => [name, option])
  const needed = required.filter((name) => !host.includes(name))
  const schema = { ...rest, properties: Object.fromEntries(own), ...(needed.length > 0 ? { required: needed } : {}) }
  // Read from JSON text, so that it is JSON.
  return {
    options: mapSchemas(schema, (part, keyword) => closeObject(part, keyword, use)) as JsonObject,
    ...(host.length > 0 ? { host } : {}),
  }
}

function writeSchema({ options }: Module, use: string): JsonRecord {
  if (options === undefined) return { type: 'object' }
  try {
    return JSON.parse(JSON.stringify(options['~standard'].jsonSchema.input({ target: 'draft-2020-12' })))
  } catch (cause) {
    throw refused(use, `its options cannot be written as JSON Schema: ${messageOf(cause)}`, cause)
  }
}

/** Refuses unknown fields at every level: the schema of a library drops them in silence. Parts of an intersection stay open. */
function closeObject(schema: JsonRecord, keyword: string, use: string): JsonRecord {
  if (schema['host'] === true)
    throw refused(use, 'only a whole option can be for the host, and a part of one is marked so')
  const isOpen = schema['type'] === 'object' && schema['additionalProperties'] === undefined && keyword !== 'allOf'
  return isOpen ? { ...schema, additionalProperties: false } : schema
}

function refused(use: string, why: string, cause?: unknown): HarnessError {
  const hint =
    'Declare options as an object of JSON values, each with .describe(); mark host options with .meta({ host: true }).'
  return new HarnessError('E_PROTOCOL_MODULE', { message: `${use}: ${why}.`, hint, module: use, cause })
}
