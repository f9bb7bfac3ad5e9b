import { HarnessError, isHarnessError, messageOf } from '../errors/error.js'
import { isModule } from '../module/define-module.js'
import type { Module } from '../module/module.js'
import type { JsonObject, Manifest, Slot } from '../protocol/index.js'
import type { Catalog, CatalogModule, CatalogPackage } from './catalog.js'
import { hostOptionProblems } from './check-use.js'
import { protocolProblem } from './fit.js'
import { isRecord, joinPointer, valueAt } from './pointer.js'
import { describeValue, makeProblem, problemsError } from './problem.js'
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
  /** Options as the module's own schema parses them, host options among them. */
  readonly options: unknown
  /** The module's prompts, or what the manifest put in their place. */
  readonly prompts: Readonly<Record<string, string>>
}

/** What `resolve` gets beside manifest and catalog. */
export interface ResolveOptions {
  /** Host options by the name of the module that takes them, as a manifest names it. Default: none. */
  readonly hostOptions?: Readonly<Record<string, JsonObject>>
}

/**
 * Loads the modules of a valid manifest, each package once, in the order in which they tap: memory, planning,
 * capability, action, plugins.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE`; `E_MANIFEST_PROTOCOL` when a package, which is then not loaded, is
 * made for another protocol; `E_PROTOCOL_LOAD` when a package cannot be imported, lacks what it describes, or throws;
 * `E_MANIFEST_OPTION` when the module's own schema refuses the options; `E_MANIFEST_AUTHORITY` for a host option in the
 * manifest; `E_ENV_INVALID` when host options are wrong.
 */
export async function resolve(
  manifest: Manifest,
  catalog: Catalog,
  options: ResolveOptions = {},
): Promise<readonly ResolvedModule[]> {
  const found = findModules(manifest, catalog)
  const problems = found.flatMap(({ module, pointer, use }) => {
    return [...protocolProblem(module, pointer), ...hostOptionProblems(use.with, module, pointer)]
  })
  if (problems.length > 0) throw problemsError(problems)
  const hostOptions = new Map(Object.entries(options.hostOptions ?? {}))
  const loaded = new Map<CatalogPackage, unknown>()
  const resolved: ResolvedModule[] = []
  for (const one of found) {
    const { module: from, slot, index, pointer, use } = one
    if (!loaded.has(from.package)) loaded.set(from.package, await guarded(from, 'import', () => from.package.load()))
    const module = pickModule(loaded.get(from.package), from)
    const parsed = await guarded(from, 'options', () => parseOptions(one, module, hostOptions.get(from.use) ?? {}))
    const prompts = { ...from.description.prompts, ...use.prompts }
    resolved.push({ key: `${slot}.${index}`, slot, use: from.use, pointer, module, options: parsed, prompts })
  }
  return resolved
}

function pickModule(loaded: unknown, module: CatalogModule): Module {
  const exported = isRecord(loaded) ? loaded[module.export] : undefined
  if (isModule(exported) && exported.slot === module.slot) return exported
  throw loadError(module, 'export', `its export "${module.export}" is no module of slot ${module.slot}`)
}

/**
 * The options of a manifest and of the host, parsed by the module's own schema, which may refuse what no JSON Schema can
 * say. The host sets host options only: behaviour belongs to the manifest and its identity.
 */
async function parseOptions(
  { module: from, pointer, use }: FoundUse,
  module: Module,
  host: JsonObject,
): Promise<unknown> {
  const names = from.description.host ?? []
  const foreign = Object.keys(host).filter((name) => !names.includes(name))
  if (foreign.length > 0) throw hostError(from, `${foreign.join(', ')} is none of them`)
  const options = { ...use.with, ...host }
  const result = module.options === undefined ? { value: {} } : await module.options['~standard'].validate(options)
  if (result.issues === undefined) return result.value
  const problems = result.issues.map(({ path = [], message }) => {
    const below = path.reduce<string>((base, part) => joinPointer(base, typeof part === 'object' ? part.key : part), '')
    const found = describeValue(valueAt(options, below))
    return makeProblem('E_MANIFEST_OPTION', `${pointer}/with${below}`, { message, found, expected: message })
  })
  const ofHost = names.filter((name) =>
    problems.some((one) => `${one.pointer}/`.startsWith(`${pointer}/with/${name}/`)),
  )
  if (ofHost.length > 0) throw hostError(from, `${ofHost.join(', ')} is missing or wrong`)
  throw problemsError(problems)
}

function hostError({ use, description }: CatalogModule, what: string): HarnessError {
  const message = `Host options of ${use} (${description.host?.join(', ') ?? 'it has none'}): ${what}.`
  const hint = `Set them for "${use}" in the host options of the environment; options of behaviour belong in the manifest.`
  return new HarnessError('E_ENV_INVALID', { message, hint, module: use })
}

/** Runs code of a package; what it throws says whose it is, and how far the package came. */
async function guarded<T>(module: CatalogModule, stage: 'import' | 'options', run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw isHarnessError(cause) ? cause : loadError(module, stage, messageOf(cause), cause)
  }
}

function loadError(
  module: CatalogModule,
  stage: 'import' | 'export' | 'options',
  why: string,
  cause?: unknown,
): HarnessError {
  const { description, version } = module.package
  const details = { package: description.name, version, stage }
  const message = `${description.name} ${version} cannot be used (${stage}): ${why}`
  return new HarnessError('E_PROTOCOL_LOAD', { message, slot: module.slot, module: module.use, details, cause })
}
