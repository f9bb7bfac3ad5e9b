import {
  HarnessError,
  type Json,
  type Manifest,
  type ModuleDescription,
  type Slot,
  type Use,
} from '@harnesswright/protocol'
import { assemble } from '../assemble/assemble.js'
import type { Harness } from '../assemble/harness.js'
import type { Mount } from '../assemble/mount.js'
import type { Environment } from '../environment/environment.js'
import type { Catalog, CatalogModule, CatalogPackage } from '../manifest/catalog.js'
import { PROTOCOL } from '../manifest/protocol-number.js'
import type { Module } from '../module/module.js'
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

/** A harness of modules that are at hand, assembled as any other; only its manifest is not read from a text. */
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
  return await assemble(manifest, { catalog: catalogOf(exported), env })
}

/** A catalog of modules at hand. It takes every manifest as it is: plugin-manifest has the one that reads and checks them. */
function catalogOf(exported: Readonly<Record<string, Module>>): Catalog {
  const modules = Object.fromEntries(Object.entries(exported).map(([name, module]) => [name, describe(module)]))
  const description = { name: PACKAGE, protocol: PROTOCOL, authority: 'none', modules } as const
  const from: CatalogPackage = { description, version: '1.0.0', integrity: 'none', load: async () => exported }
  const all = Object.entries(modules).map(([name, one]): CatalogModule => {
    return { use: `${PACKAGE}#${name}`, slot: one.slot, export: name, package: from, description: one }
  })
  return {
    packages: [from],
    modules: (slot) => all.filter((module) => slot === undefined || module.slot === slot),
    find: (name) => all.find((module) => module.use === name),
    nearest: () => [],
    schema: () => ({}),
    resolve: async (manifest) =>
      await Promise.all(usesOf(manifest).map(([slot, index, use]) => mount(exported, slot, index, use))),
    read: async (text) => ({ manifest: JSON.parse(text) as Manifest, problems: [] }),
    identify: async () => ({ manifestId: 'sha256:under-test', harnessId: 'sha256:under-test' }),
  }
}

function describe({ slot, summary, prompts = {}, requires = [], provides = [] }: Module): ModuleDescription {
  return { slot, summary, options: {}, prompts, requires, provides }
}

function usesOf({ memory, planning, capability, action, plugins }: Manifest): readonly [Slot, number, Use][] {
  const slots = { memory, planning, capability, action, plugin: plugins } as const
  return (Object.entries(slots) as [Slot, Use | readonly Use[] | null | undefined][]).flatMap(([slot, uses]) =>
    [uses ?? []].flat().map((use, index): [Slot, number, Use] => [slot, index, use as Use]),
  )
}

async function mount(
  exported: Readonly<Record<string, Module>>,
  slot: Slot,
  index: number,
  { use, with: given = {} }: Use,
): Promise<Mount> {
  const module = exported[use.slice(use.indexOf('#') + 1)]
  if (module === undefined)
    throw new HarnessError('E_MANIFEST_UNKNOWN_MODULE', { message: `There is no ${use} under test.` })
  const parsed = module.options === undefined ? { value: {} } : await module.options['~standard'].validate(given)
  if (parsed.issues === undefined)
    return { key: `${slot}.${index}`, slot, use, module, options: parsed.value, prompts: module.prompts ?? {} }
  throw new HarnessError('E_MANIFEST_OPTION', {
    message: parsed.issues.map((issue) => issue.message).join('; '),
    module: use,
  })
}
