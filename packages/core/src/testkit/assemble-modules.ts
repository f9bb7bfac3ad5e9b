import { assemble } from '../assemble/assemble.js'
import type { Harness } from '../assemble/harness.js'
import { createCatalog, definePackage } from '../manifest/catalog.js'
import type { Module } from '../module/module.js'
import type { Environment, Json, Manifest, Use } from '../protocol/index.js'
import { minimalAction } from './minimal-modules.js'

/** Modules by slot, with options where a module takes some. What is left out is `null`, and the smallest action. */
export interface ModulesUnderTest {
  readonly memory?: Module | readonly Module[]
  readonly planning?: Module
  readonly capability?: Module | readonly Module[]
  readonly action?: Module
  readonly plugins?: readonly Module[]
  /** Options of a module, where it takes some. */
  readonly options?: ReadonlyMap<Module, { readonly [option: string]: Json }>
  /** Further fields of the manifest: limits, codec, name. */
  readonly manifest?: Partial<Manifest>
}

/** Name of the package in which modules under test are put. */
const PACKAGE = '@test/modules'

/** A harness of modules that are at hand, by the same way as any other: package, catalog, manifest, assembly. */
export async function assembleModules(modules: ModulesUnderTest, env: Environment): Promise<Harness> {
  const exported: Record<string, Module> = {}
  const use = (module: Module): Use => {
    const name = `m${Object.keys(exported).length}`
    exported[name] = module
    const options = modules.options?.get(module)
    return { use: `${PACKAGE}#${name}`, ...(options === undefined ? {} : { with: options }) }
  }
  const list = (found: Module | readonly Module[] | undefined): readonly Use[] | null =>
    found === undefined ? null : [found].flat().map((module) => use(module as Module))
  const manifest: Manifest = {
    protocol: 1,
    name: 'under-test',
    packages: { [PACKAGE]: '*' },
    memory: list(modules.memory),
    planning: modules.planning === undefined ? null : use(modules.planning),
    capability: list(modules.capability),
    action: use(modules.action ?? minimalAction),
    plugins: (modules.plugins ?? []).map(use),
    ...modules.manifest,
  }
  const catalog = createCatalog([definePackage({ name: PACKAGE, version: '1.0.0', modules: exported })])
  return await assemble(manifest, { catalog, env })
}
