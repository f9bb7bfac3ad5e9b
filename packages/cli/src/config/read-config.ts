import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import { homeOf } from '../home.js'
import type { Io } from '../io.js'
import { readTextFile } from '../read-text-file.js'
import { checkConfig } from './check-config.js'
import { type Config, NO_CONFIG } from './config.js'
import { confirmTrust } from './trust.js'

const NAMES = ['harnesswright.config.json', 'harnesswright.config.mjs'] as const

/**
 * The configuration of the working directory, which is never looked for further up.
 *
 * @throws HarnessError `E_CLI_CONFIG` when it is not as it must be, `E_CLI_UNTRUSTED` when it is code that nobody trusts.
 */
export async function readConfig(args: Arguments, io: Io): Promise<Config> {
  const file = findFile(args, io)
  if (file === undefined) return NO_CONFIG
  const text = await readTextFile(file, { where: file, maxBytes: 1024 * 1024, code: 'E_CLI_CONFIG' })
  return checkConfig(file.endsWith('.mjs') ? await runConfig(file, text, args, io) : parseJson(text, file), file)
}

/** Path of the configuration file; undefined when there is none. */
export function findFile({ values, switches }: Arguments, io: Io): string | undefined {
  const named = values['config']
  if (switches.has('no-config') && named !== undefined) throw contradiction()
  if (switches.has('no-config')) return undefined
  if (named !== undefined) return checkName(resolve(io.cwd, named))
  const found = NAMES.map((name) => join(io.cwd, name)).filter((path) => existsSync(path))
  if (found.length > 1) throw twoFiles(io.cwd)
  return found[0]
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cliError('E_CLI_CONFIG', {
      message: `The configuration is not JSON: ${(cause as Error).message}.`,
      where: file,
      expected: 'one JSON object',
      fix: 'Correct the JSON.',
      cause,
    })
  }
}

/** Imports a configuration that is code, once somebody said that it may run. */
async function runConfig(file: string, text: string, args: Arguments, io: Io): Promise<unknown> {
  const hash = createHash('sha256').update(text).digest('hex')
  if (!args.switches.has('trust-config')) await confirmTrust({ file, hash, home: homeOf(io) }, io)
  try {
    // The hash in the address: a changed file is another module.
    const loaded = (await import(/* @vite-ignore */ `${pathToFileURL(file).href}?sha256=${hash}`)) as {
      default?: unknown
    }
    return JSON.parse(JSON.stringify(loaded.default ?? null))
  } catch (cause) {
    throw cliError('E_CLI_CONFIG', {
      message: `The configuration could not be run: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: file,
      expected: 'a module whose default export is an object',
      fix: 'Correct it, or run with --no-config.',
      cause,
    })
  }
}

function checkName(file: string): string {
  if (file.endsWith('.json') || file.endsWith('.mjs')) return file
  throw cliError('E_CLI_CONFIG', {
    message: `${file} is neither .json nor .mjs.`,
    where: '--config',
    expected: 'a file that ends in .json or .mjs',
    fix: 'Rename the file.',
  })
}

function twoFiles(cwd: string): Error {
  return cliError('E_CLI_CONFIG', {
    message: `There are two configurations: ${NAMES.join(' and ')}.`,
    where: cwd,
    expected: 'one of them',
    fix: 'Remove one, or name one with --config.',
  })
}

function contradiction(): Error {
  return cliError('E_CLI_USAGE', {
    message: '--config and --no-config were both given.',
    where: '--config',
    expected: 'one of them',
    fix: 'Leave one out.',
  })
}
