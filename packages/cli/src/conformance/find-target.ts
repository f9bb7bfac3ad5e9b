import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { nearestNames } from '@harnesswright/core'
import type { EndpointUnderTest } from '@harnesswright/core/testkit'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import { ADDRESS_VARIABLE, ENDPOINTS, needsOf } from '../models/endpoints.js'
import { findPackage, type InstalledPackage, readObject } from '../packages/find-package.js'
import { OWN_DIRECTORY, type ProjectPackages } from '../packages/project-packages.js'

/** What is put to the test. */
export type Target =
  | { readonly kind: 'harness' }
  | { readonly kind: 'package'; readonly found: InstalledPackage }
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointUnderTest; readonly keyVariable?: string }

/** What a target is found from. */
export interface TargetSources {
  readonly args: Pick<Arguments, 'positionals' | 'values'>
  readonly io: Pick<Io, 'cwd' | 'env'>
  readonly packages: ProjectPackages
}

/**
 * The target that a command line names: an address is an endpoint, anything else a package by its name or its directory.
 *
 * @throws HarnessError `E_CLI_USAGE` when there is none of that name, or what is named does not go together;
 * `E_CLI_PACKAGE` when the package.json of the package cannot be read.
 */
export function findTarget({ args, io, packages }: TargetSources): Target {
  const { positionals, values } = args
  const [target, ...more] = positionals
  if (more.length > 0) throw severalTargets(positionals)
  const model = values['model']
  if (target !== undefined && /^https?:\/\//i.test(target)) return endpointOf(target, model, io.env)
  if (model !== undefined) throw strayModel()
  if (target === undefined) return { kind: 'harness' }
  return {
    kind: 'package',
    found: packageAt(target, io.cwd) ?? packageNamed(target, io.cwd) ?? unknown(target, packages),
  }
}

function endpointOf(target: string, model: string | undefined, env: Io['env']): Target {
  const address = addressOf(target)
  if (model === undefined) throw noModel(address)
  const keyVariable = keyVariableOf(address, env)
  const apiKey = keyVariable === undefined ? undefined : env[keyVariable]?.trim()
  return {
    kind: 'endpoint',
    endpoint: { baseUrl: address, model, ...(apiKey === undefined ? {} : { apiKey }) },
    ...(keyVariable === undefined ? {} : { keyVariable }),
  }
}

/** An address up to and without `/chat/completions`. One with a password in it is not taken: it would be printed. */
function addressOf(target: string): string {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (url === undefined || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw cliError('E_CLI_USAGE', {
      message: 'The address of the endpoint cannot be used.',
      where: 'harnesswright conformance',
      expected: 'an address such as http://127.0.0.1:8000/v1, without a name, a password and parameters',
      fix: `Write the address alone. A key is taken from ${ADDRESS_KEY}, where ${ADDRESS_VARIABLE} is that address.`,
    })
  }
  return normalised(`${url.origin}${url.pathname}`)
}

const ADDRESS_KEY = 'OPENAI_API_KEY'

function normalised(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
}

/** The variable with the key of an address: a key goes to the address that it is for, and to no other. */
function keyVariableOf(address: string, env: Io['env']): string | undefined {
  for (const [, preset] of ENDPOINTS) {
    const { baseUrl = env[ADDRESS_VARIABLE]?.trim(), keyVariable } = needsOf(preset, env)
    if (keyVariable === undefined || baseUrl === undefined || normalised(baseUrl) !== address) continue
    if (env[keyVariable]?.trim()) return keyVariable
  }
  return undefined
}

/** The package of a directory. */
function packageAt(target: string, cwd: string): InstalledPackage | undefined {
  const isPath =
    isAbsolute(target) || /^\.{1,2}([\\/]|$)/.test(target) || existsSync(join(resolve(cwd, target), 'package.json'))
  if (!isPath) return undefined
  const path = resolve(cwd, target)
  if (!existsSync(join(path, 'package.json'))) throw noDirectory(target)
  const directory = realpathSync(path)
  const manifest = orUnreadable(target, () => readObject(join(directory, 'package.json')))
  const name = String(manifest['name'] ?? target)
  return { name, directory, manifest, isLinked: !directory.split(sep).includes('node_modules') }
}

function packageNamed(target: string, cwd: string): InstalledPackage | undefined {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(target)) return undefined
  return orUnreadable(target, () => findPackage(target, cwd) ?? findPackage(target, OWN_DIRECTORY))
}

function orUnreadable<T>(target: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cliError('E_CLI_PACKAGE', {
      message: `The package.json of ${target} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      where: target,
      expected: 'one JSON object',
      fix: 'Correct it, or install the package again.',
      cause,
    })
  }
}

function unknown(target: string, { installed }: ProjectPackages): never {
  const own = Object.keys((readObject(join(OWN_DIRECTORY, 'package.json'))['dependencies'] ?? {}) as object)
  const known = [...installed.map(({ name }) => name), ...own.filter((name) => name.startsWith('@harnesswright/'))]
  const nearest = nearestNames(target, known)
  throw cliError('E_CLI_USAGE', {
    message: `There is no package ${JSON.stringify(target)} installed here.`,
    where: 'harnesswright conformance',
    expected: `an installed package, a directory of one, or the address of an endpoint; nearest: ${nearest.join(', ')}`,
    fix: `Write "harnesswright conformance ${nearest[0]}", a path such as ./my-package, or an address with http:// before it.`,
  })
}

function noDirectory(target: string): Error {
  return cliError('E_CLI_USAGE', {
    message: `The directory ${JSON.stringify(target)} holds no package.`,
    where: 'harnesswright conformance',
    expected: 'a directory with a package.json',
    fix: 'Name the directory of a package, or an installed package by its name.',
  })
}

function severalTargets(targets: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `${targets.length} targets are named.`,
    where: targets.join(' '),
    expected: 'one endpoint or package, or none for the built-in harness',
    fix: 'Run the command once for each.',
  })
}

function noModel(address: string): Error {
  return cliError('E_CLI_USAGE', {
    message: 'The model of the endpoint is not named.',
    where: '--model',
    expected: 'the name of a model as the endpoint knows it',
    fix: `Write "harnesswright conformance ${address} --model <name>".`,
  })
}

function strayModel(): Error {
  return cliError('E_CLI_USAGE', {
    message: '--model names the model of an endpoint, and no endpoint is named.',
    where: '--model',
    expected: 'the address of an endpoint beside it',
    fix: 'Leave --model out: packages and the built-in harness meet a scripted endpoint.',
  })
}
