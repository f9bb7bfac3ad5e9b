import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog, CatalogPackage, Manifest, Module } from '@harnesswright/core'
import { faultCases, moduleConformance, runFaultCase, seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, describePackage } from '@harnesswright/plugin-manifest'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import { cliError } from '../errors/cli-error.js'
import { modulesOf } from '../packages/describe-code.js'
import { describeInstalled, hasDescription } from '../packages/describe-installed.js'
import type { InstalledPackage } from '../packages/find-package.js'
import { importPackage } from '../packages/import-package.js'
import { listSeeds } from '../packages/list-seeds.js'
import { builtInHarness } from './built-in.js'
import { type Check, checkCases, skipped } from './check.js'
import { checkHarness } from './check-harness.js'
import { HARNESS_TRAITS, type HarnessParts, harnessSubject } from './harness-subject.js'

/** What a package is looked at with. */
export interface PackageChecks {
  readonly catalog: Catalog
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Makes a model, as far as its name says so. */
type Factory = HarnessParts['makeModel']

const FACTORY = /^create[A-Z]\w*Model$/

/**
 * Looks at everything that a package exports and the kits know: its modules, its manifest, and the models that it makes.
 *
 * @throws HarnessError `E_CLI_PACKAGE` when it cannot be loaded, has nothing of these, or does not describe itself rightly.
 */
export async function* checkPackage(
  found: InstalledPackage,
  around: PackageChecks,
): AsyncGenerator<Check, void, undefined> {
  const exported = await load(found)
  const modules = modulesOf(exported)
  const factories = Object.entries(exported).filter(
    ([name, value]) => FACTORY.test(name) && typeof value === 'function',
  )
  const [seed] = listSeeds([found])
  if (Object.keys(modules).length === 0 && factories.length === 0 && seed === undefined)
    throw nothingToCheck(found.name)
  for (const [name, module] of distinct(modules)) {
    around.signal.throwIfAborted()
    yield* checkCases(`module ${name}`, moduleConformance({ module }), around.now)
  }
  if (seed !== undefined) yield* checkSeed({ found, text: seed.manifest, modules }, around)
  for (const [name, factory] of factories) yield* checkFactory(name, factory as Factory, around)
}

async function load(found: InstalledPackage): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importPackage(found)
  } catch (cause) {
    throw cliError('E_CLI_PACKAGE', {
      message: `The package ${found.name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: found.directory,
      expected: 'a package that can be imported',
      fix: 'Build or install it, and try again; --verbose shows where it fails.',
      cause,
    })
  }
}

/** The modules of a package, each once, by the first name under which it is exported. */
function distinct(modules: Readonly<Record<string, Module>>): readonly (readonly [name: string, module: Module])[] {
  const names = new Map<Module, string>()
  for (const [name, module] of Object.entries(modules)) if (!names.has(module)) names.set(module, name)
  return Array.from(names, ([module, name]) => [name, module] as const)
}

interface SeedFiles {
  readonly found: InstalledPackage
  /** Text of its manifest. */
  readonly text: string
  readonly modules: Readonly<Record<string, Module>>
}

async function* checkSeed(seed: SeedFiles, around: PackageChecks): AsyncGenerator<Check, void, undefined> {
  const { found, text, modules } = seed
  const manifest = JSON.parse(text) as Manifest // listSeeds has read it
  const group = `seed ${manifest.name}`
  if (!hasDescription(found)) {
    yield skipped(
      group,
      'SEED-1',
      'has a harnesswright.json that says what its code is',
      'it has no harnesswright.json',
    )
    return
  }
  const described = describedBy(found)
  const catalog = withPackage(around.catalog, described)
  const { name, authority } = described.description
  const description = JSON.parse(readFileSync(join(found.directory, 'harnesswright.json'), 'utf8')) as never
  const fromCode = describePackage({ name, authority, modules })
  yield* checkCases(group, seedConformance({ manifest, description, fromCode, catalog }), around.now)
  const { problems } = await catalog.read(text)
  if (problems.length > 0) {
    yield skipped(`harness ${manifest.name}`, 'faults', 'survives the rows of faults', 'its manifest has problems')
    return
  }
  yield* checkHarness(
    `harness ${manifest.name}`,
    { manifest: text, catalog, makeModel: createOpenAiModel },
    around.signal,
  )
}

function describedBy(found: InstalledPackage): CatalogPackage {
  try {
    return describeInstalled(found)
  } catch (cause) {
    throw cliError('E_CLI_PACKAGE', {
      message: `The description of ${found.name} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: join(found.directory, 'harnesswright.json'),
      expected: 'what describePackage of plugin-manifest gives for the package',
      fix: 'Write the file again from the code of the package.',
      cause,
    })
  }
}

/** The catalog of a project, with the package itself as it is on disk. */
function withPackage({ packages }: Catalog, described: CatalogPackage): Catalog {
  const others = packages.filter(({ description }) => description.name !== described.description.name)
  return createCatalog([...others, described])
}

/** Plays the rows with the built-in harness on the models of a factory, where it makes models of an endpoint. */
async function* checkFactory(
  name: string,
  makeModel: Factory,
  around: PackageChecks,
): AsyncGenerator<Check, void, undefined> {
  const group = `harness react on ${name}`
  const parts = { ...builtInHarness(around.catalog), makeModel }
  const why = await whyNoEndpoint(parts)
  if (why === undefined) yield* checkHarness(group, parts, around.signal)
  else yield skipped(group, 'faults', 'survives the rows of faults', why)
}

/** Why the models of a factory are none of an endpoint that is given to it, or undefined where they are. */
async function whyNoEndpoint(parts: HarnessParts): Promise<string | undefined> {
  const [row] = faultCases
  if (row === undefined) throw new Error('there are no rows of faults')
  const { requests, findings } = await runFaultCase(row, {
    subject: harnessSubject(parts),
    traits: HARNESS_TRAITS,
    mode: 'plain',
  })
  if (requests > 0) return undefined
  return `it makes no model that asks the endpoint of { model, baseUrl, apiKey }: ${findings[0]?.found ?? ''}`
}

function nothingToCheck(name: string): Error {
  return cliError('E_CLI_PACKAGE', {
    message: `The package ${name} has nothing that can be checked.`,
    where: 'harnesswright conformance',
    expected: 'modules, a manifest.json, or a function create…Model that takes { model, baseUrl, apiKey }',
    fix: 'Name a package of modules, a seed or a package of models.',
  })
}
