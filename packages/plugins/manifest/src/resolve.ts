import type { Catalog, CatalogModule, CatalogPackage, JsonObject, Manifest, Module, Slot } from '@harnesswright/core'
import { HarnessError, isHarnessError, isModule, nearestNames, type Problem, problemsError } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { protocolProblem } from './fit.js'
import { isRecord, type JsonRecord, joinPointer, valueAt } from './pointer.js'
import { describeValue, makeProblem } from './problem.js'
import { type FoundUse, findModules } from './uses.js'

/** A module of a manifest, loaded, with its options and prompts. */
export interface ResolvedModule {
  /** `<slot>.<index>`: the name of its taps, its state and its model calls. */
  readonly key: string
  readonly slot: Slot
  /** The module, as the manifest names it. */
  readonly use: string
  /** Pointer to its place in the manifest. */
  readonly pointer: string
  readonly module: Module
  /** What the catalog knows of it. */
  readonly from: CatalogModule
  /** Options as the module's own schema parses them, host options among them. */
  readonly options: unknown
  /** The module's prompts, or what the manifest put in their place. */
  readonly prompts: Readonly<Record<string, string>>
}

/**
 * Loads the modules of a valid manifest, each package once, in the order in which they tap: memory, planning,
 * capability, action, plugins. `hostOptions` are those of the environment, by the name of the module that takes them.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE`; `E_MANIFEST_PROTOCOL` when a package, which is then not loaded, is
 * made for another protocol; `E_PROTOCOL_LOAD` when a package cannot be imported, lacks what it describes, or throws;
 * `E_MANIFEST_OPTION` when the module's own schema refuses the options; `E_MANIFEST_AUTHORITY` for a host option in the
 * manifest; `E_ENV_INVALID` when host options are wrong.
 */
export async function resolve(
  manifest: Manifest,
  catalog: Catalog,
  { hostOptions = {} }: { readonly hostOptions?: Readonly<Record<string, JsonObject>> } = {},
): Promise<readonly ResolvedModule[]> {
  const found = findModules(manifest, catalog)
  const problems = found.flatMap(({ module, pointer, use }) => {
    return [...protocolProblem(module, pointer), ...hostOptionProblems(use.with, module, pointer)]
  })
  if (problems.length > 0) throw problemsError(problems)
  const hostOf = new Map(Object.entries(hostOptions))
  const loaded = new Map<CatalogPackage, unknown>()
  const resolved: ResolvedModule[] = []
  for (const one of found) {
    const { module: from, slot, index, pointer, use } = one
    if (!loaded.has(from.package)) loaded.set(from.package, await guarded(from, 'import', () => from.package.load()))
    const module = pickModule(loaded.get(from.package), from)
    const parsed = await guarded(from, 'options', () => parseOptions(one, module, hostOf.get(from.use) ?? {}))
    const prompts = { ...from.description.prompts, ...use.prompts }
    resolved.push({ key: `${slot}.${index}`, slot, use: from.use, pointer, module, from, options: parsed, prompts })
  }
  return resolved
}

/** A problem for each option that only the host may set. */
export function hostOptionProblems(given: JsonRecord = {}, module: CatalogModule, pointer: string): Problem[] {
  const { host = [], options } = module.description
  const fix = `Remove it, and set it for ${module.use} in the host options of the environment.`
  const names = host.filter((name) => Object.hasOwn(given, name))
  return names.map((name) => {
    const part = { found: `${name}, which only the host sets`, expected: 'an option of behaviour' }
    const nearest = nearestNames(name, Object.keys(options['properties'] ?? {}))
    return makeProblem('E_MANIFEST_AUTHORITY', joinPointer(`${pointer}/with`, name), { ...part, nearest, fix })
  })
}

function pickModule(loaded: unknown, module: CatalogModule): Module {
  const exported = isRecord(loaded) ? loaded[module.export] : undefined
  if (isModule(exported) && exported.slot === module.slot) return exported
  throw loadError(module, 'export', `export "${module.export}" is no module of slot ${module.slot}`)
}

/**
 * The options of a manifest and of the host, parsed by the module's own schema, which may refuse what no JSON Schema can
 * say. The host sets host options only: behaviour belongs to the manifest and its identity.
 */
async function parseOptions(placed: FoundUse, module: Module, host: JsonObject): Promise<unknown> {
  const { host: names = [] } = placed.module.description
  const options = { ...placed.use.with, ...host }
  const parsed = module.options === undefined ? { value: {} } : await module.options['~standard'].validate(options)
  const foreign = Object.keys(host).filter((name) => !names.includes(name))
  if (parsed.issues === undefined && foreign.length === 0) return parsed.value
  const message = `a host option: ${names.join(', ') || 'there is none'}`
  const issues = [...foreign.map((name) => ({ path: [name], message })), ...(parsed.issues ?? [])]
  const problems = issues.map(({ path = [], message: expected }) => {
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part))
    const at = keys.reduce<string>(joinPointer, '')
    const code = [...names, ...foreign].includes(String(keys[0])) ? 'E_ENV_INVALID' : 'E_MANIFEST_OPTION'
    return makeProblem(code, `${placed.pointer}/with${at}`, { found: describeValue(valueAt(options, at)), expected })
  })
  throw problemsError(problems)
}

/** Runs code of a package; what it throws says whose it is, and how far the package came. */
async function guarded<T>(module: CatalogModule, stage: 'import' | 'options', run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw isHarnessError(cause) ? cause : loadError(module, stage, cause)
  }
}

function loadError({ use, slot, package: from }: CatalogModule, stage: string, cause: unknown): HarnessError {
  const details = { package: from.description.name, version: from.version, stage }
  const message = `${details.package} ${details.version} cannot be used (${stage}): ${messageOf(cause)}`
  return new HarnessError('E_PROTOCOL_LOAD', { message, slot, module: use, details, cause })
}
