import { existsSync, realpathSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import type { Arguments } from '../args/parse-arguments.js'
import { type CliErrorSpec, cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { Screen } from '../output/screen.js'
import { authorityOf, describeCode } from '../packages/describe-code.js'
import { type InstalledPackage, readObject } from '../packages/find-package.js'
import { cleanLine } from '../text/clean.js'
import { printListing } from './list-command.js'

const FILE = 'harnesswright.json'

/**
 * `describe [directory]`: writes `harnesswright.json` of the package in a directory from its code, which is imported as it was
 * built; with `--check` nothing is written, and a file that differs ends with 1.
 */
export async function describeCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [directory = '.', ...more] = args.positionals
  if (more.length > 0) throw severalDirectories(args.positionals)
  const found = packageIn(resolve(io.cwd, directory), directory)
  const text = await textOf(found)
  const file = join(found.directory, FILE)
  const isSame = existsSync(file) && (await readFile(file, 'utf8')) === text
  const isChecked = args.switches.has('check')
  if (!isSame && !isChecked) await writeFile(file, text)
  const state = isSame ? 'same' : isChecked ? 'differs' : 'written'
  tell(state, found, args, io)
  return state === 'differs' ? EXIT.checkFailed : EXIT.ok
}

type State = 'same' | 'differs' | 'written'

const SAID: Readonly<Record<State, string>> = {
  same: 'says what the code is',
  differs: 'differs from the code: run "harnesswright describe" and look at what changed',
  written: 'written from the code',
}

function tell(state: State, { name, directory }: InstalledPackage, args: Arguments, io: Io): void {
  const file = join(directory, FILE)
  new Screen(io, args)[state === 'differs' ? 'line' : 'progress'](`${FILE} of ${cleanLine(name)} ${SAID[state]}`)
  printListing({ json: { package: name, file, state }, lines: [file] }, args, io)
}

function packageIn(path: string, asked: string): InstalledPackage {
  const file = join(path, 'package.json')
  if (!existsSync(file)) {
    throw cliError('E_CLI_USAGE', {
      message: `The directory ${JSON.stringify(asked)} holds no package.`,
      where: 'harnesswright describe',
      expected: 'a directory with a package.json',
      fix: 'Go to the directory of the package, or name it: "harnesswright describe ./my-package".',
    })
  }
  const directory = realpathSync(path)
  const manifest = orUnusable(file, () => readObject(file))
  const { name } = manifest
  if (typeof name === 'string' && name !== '') return { name, directory, manifest, isLinked: true }
  throw unusable({ message: 'The package has no name.', where: file, fix: 'Write "name" into its package.json.' })
}

/** What `harnesswright.json` is to be. */
async function textOf(found: InstalledPackage): Promise<string> {
  const authority = authorityOf(found)
  if (authority === undefined) {
    throw unusable({
      message: `The package ${found.name} does not say what it reaches.`,
      where: join(found.directory, 'package.json'),
      expected: '"harnesswright": { "authority": … } with none, workspace, network or process',
      fix: 'Write "harnesswright": { "authority": "none" } where its modules reach nothing beyond their state and the model.',
    })
  }
  try {
    return await describeCode(found, authority)
  } catch (cause) {
    if (isHarnessError(cause)) throw cause
    throw unusable({
      message: `The package ${found.name} cannot be loaded: ${messageOf(cause)}`,
      where: found.directory,
      expected: 'a package that was built and can be imported',
      fix: 'Build it first; --verbose shows where it fails.',
      cause,
    })
  }
}

function orUnusable<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw unusable({
      message: `The package.json cannot be read: ${messageOf(cause)}.`,
      where,
      expected: 'one JSON object',
      fix: 'Correct it.',
      cause,
    })
  }
}

function unusable({
  expected = 'a package that can be described',
  ...spec
}: Omit<CliErrorSpec, 'expected'> & { readonly expected?: string }): Error {
  return cliError('E_CLI_PACKAGE', { expected, ...spec })
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

function severalDirectories(words: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `${words.length} directories are named.`,
    where: words.join(' '),
    expected: 'one directory of a package, or none for the working directory',
    fix: 'Run the command once for each.',
  })
}
