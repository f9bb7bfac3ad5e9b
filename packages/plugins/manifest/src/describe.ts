import {
  type Authority,
  HarnessError,
  isModule,
  type JsonObject,
  type Module,
  type ModuleDescription,
  type PackageDescription,
} from '@harnesswright/core'
import { messageOf, PROTOCOL } from '@harnesswright/core/manifest'
import { isRecord, type JsonRecord } from './pointer.js'
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
    ...(observer === true && { observer }),
    ...(breaksPrefix === true && { breaksPrefix }),
  }
}

/** The options that a manifest may set as JSON Schema, and the names of those that only the host may. */
function describeOptions(module: Module, use: string): Pick<ModuleDescription, 'options' | 'host'> {
  const { $schema, properties = {}, required = [], ...rest } = writeSchema(module, use)
  if (rest['type'] !== 'object' || !isRecord(properties)) throw refused(use, 'its options are no object')
  const host: string[] = []
  const own: JsonRecord[] = []
  for (const [name, option] of Object.entries(properties as Readonly<Record<string, JsonRecord>>)) {
    if (!option['description']) throw refused(use, `its option "${name}" has no description`)
    if (option['host'] === true) host.push(name)
    else own.push({ [name]: option })
  }
  const needed = [required].flat().filter((name) => !host.includes(name as string))
  const schema = { ...rest, properties: Object.assign({}, ...own), ...(needed.length > 0 && { required: needed }) }
  const options = mapSchemas(schema, (part, keyword) => closeObject(part, keyword, use)) as JsonObject // read from text
  return { options, ...(host.length > 0 && { host }) }
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
  if (schema['host'] === true) throw refused(use, 'only a whole option can be for the host, not a part of one')
  const isOpen = schema['type'] === 'object' && schema['additionalProperties'] === undefined && keyword !== 'allOf'
  return isOpen ? { ...schema, additionalProperties: false } : schema
}

function refused(use: string, why: string, cause?: unknown): HarnessError {
  const hint =
    'Declare options as an object of JSON values, each with .describe(); mark host options .meta({ host: true }).'
  return new HarnessError('E_PROTOCOL_MODULE', { message: `${use}: ${why}.`, hint, module: use, cause })
}
