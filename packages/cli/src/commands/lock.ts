import { existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Arguments } from '../args/parse-arguments.js'
import { readConfig } from '../config/read-config.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { compareLock, type Difference, differenceText } from '../lock/compare-lock.js'
import { type Locked, lockFileOf, readLock, writeLock } from '../lock/lock-file.js'
import { lockManifest } from '../lock/lock-manifest.js'
import { Screen } from '../output/screen.js'
import { listPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'
import { cleanLine } from '../text/clean.js'
import { printListing } from './list-command.js'

/** What was found, and what is to be there. */
interface Looked {
  /** Path of the manifest. */
  readonly path: string
  readonly lockFile: string
  readonly text: string
  readonly locked: Locked
  /** The manifest has a range for every package. */
  readonly isFilled: boolean
  /** There is a lock file. */
  readonly isLocked: boolean
  readonly differences: readonly Difference[]
}

/**
 * `lock <manifest>`: a range for every package in the manifest, and exact versions with hashes in the lock file beside it; with
 * `--check` nothing is written, and what does not agree with what is installed ends with 1.
 */
export async function lockCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals
  if (file === undefined || more.length > 0) throw wrongFiles(args.positionals)
  const screen = new Screen(io, args)
  const looked = await look(file, { args, io, screen })
  const isSame = looked.isFilled && looked.isLocked && looked.differences.length === 0
  const isChecked = args.switches.has('check')
  const state = isSame ? 'same' : isChecked ? 'differs' : 'written'
  if (state === 'written') write(looked)
  tell(state, file, looked, screen)
  const { path, lockFile, locked, differences } = looked
  printListing(
    { json: { state, manifest: path, lock: lockFile, packages: locked, differences }, lines: [lockFile] },
    args,
    io,
  )
  return state === 'differs' ? EXIT.checkFailed : EXIT.ok
}

type State = 'same' | 'differs' | 'written'

interface Around {
  readonly args: Arguments
  readonly io: Io
  readonly screen: Screen
}

async function look(file: string, { args, io, screen }: Around): Promise<Looked> {
  const packages = listPackages(await readConfig(args, io), io.cwd)
  for (const warning of packages.warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  const path = resolve(io.cwd, file)
  const before = await readTextFile(path, { where: file })
  const { text, locked } = await lockManifest(before, { packages, cwd: io.cwd, file })
  const lockFile = lockFileOf(path)
  const isLocked = existsSync(lockFile)
  const former = isLocked ? await readLock(lockFile) : {}
  const differences = compareLock(former, locked)
  return { path, lockFile, text, locked, isFilled: text === before, isLocked, differences }
}

function write({ path, lockFile, text, locked, isFilled }: Looked): void {
  if (!isFilled) replaceFile(path, text)
  replaceFile(lockFile, writeLock(locked))
}

/** Writes a file whole or not at all: what was there stays until the new text is on the disk. */
function replaceFile(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path
  const part = `${target}.${process.pid}.part`
  try {
    writeFileSync(part, text, { mode: existsSync(target) ? statSync(target).mode : 0o666 })
    renameSync(part, target)
  } catch (cause) {
    throw cliError('E_CLI_FILE', {
      message: `${target} cannot be written (${(cause as { code?: unknown }).code}).`,
      where: target,
      expected: 'a file in a directory that can be written',
      fix: 'Make it writable, or copy the manifest elsewhere.',
      cause,
    })
  }
}

function tell(state: State, file: string, looked: Looked, screen: Screen): void {
  if (state !== 'differs') {
    sayLocked(state, looked, screen)
    return
  }
  const { isFilled, isLocked, differences } = looked
  if (!isFilled) screen.line('the manifest has no range for some of its packages')
  if (!isLocked) screen.line('there is no lock file')
  else for (const difference of differences) screen.line(cleanLine(differenceText(difference), 500))
  screen.line(`fix: harnesswright lock ${cleanLine(file)}`)
}

function sayLocked(state: 'same' | 'written', { locked, isFilled }: Looked, screen: Screen): void {
  const count = Object.keys(locked).length
  const packages = `${count} ${count === 1 ? 'package' : 'packages'}`
  if (state === 'same') screen.progress(`locked: ${packages}, as they are installed`)
  else screen.progress(`locked: ${packages}${isFilled ? '' : '; ranges were filled in'}`)
}

function wrongFiles(files: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: files.length === 0 ? 'No manifest is named.' : `${files.length} manifests are named.`,
    where: 'harnesswright lock',
    expected: 'the file of one manifest',
    fix: 'Write "harnesswright lock manifest.json".',
  })
}
