import { isHarnessError } from '@harnesswright/core'
import { EXIT, type ExitCode } from '../exit-codes.js'
import { CLI_CODES, type CliCode } from './cli-error.js'

/** What the errors of an area have in common. */
export interface ErrorArea {
  readonly exit: ExitCode
  /** Where such an error comes from, when it does not say so itself. */
  readonly where: string
  readonly expected: string
}

/** Areas of the codes of core and of the packages that the command line brings. */
const AREAS: Readonly<Record<string, ErrorArea>> = {
  BANK: { exit: EXIT.invalid, where: '--bank', expected: 'a bank that can be read and written' },
  BENCH: { exit: EXIT.invalid, where: '--out', expected: 'a directory for the results of this bench' },
  COMPOSE: {
    exit: EXIT.invalid,
    where: 'the installed packages',
    expected: 'packages that a harness can be composed from',
  },
  CREATE: {
    exit: EXIT.usage,
    where: 'harnesswright create',
    expected: 'module, seed or plugin, and the name of a new package',
  },
  ENV: {
    exit: EXIT.invalid,
    where: 'the environment of the run',
    expected: 'models, tools and options that fit each other',
  },
  EVOLVE: { exit: EXIT.invalid, where: 'harnesswright evolve', expected: 'tasks and manifests that can be compared' },
  LLAMA: { exit: EXIT.model, where: '--model', expected: 'a model that runs in this process' },
  MANIFEST: { exit: EXIT.invalid, where: 'the manifest', expected: 'a manifest without problems' },
  MODEL: { exit: EXIT.model, where: 'the model', expected: 'a reply of the model' },
  OPENAI: { exit: EXIT.invalid, where: 'the model', expected: 'options that a model of an endpoint takes' },
  PROTOCOL: { exit: EXIT.module, where: 'the harness', expected: 'modules that keep the protocol' },
  RUN: { exit: EXIT.module, where: 'the run', expected: 'a run without this failure' },
  SIM: { exit: EXIT.model, where: 'the simulated model', expected: 'a task of a world' },
  SKILL: { exit: EXIT.invalid, where: 'the folders of skills', expected: 'folders with a SKILL.md that can be used' },
  WORKSPACE: { exit: EXIT.invalid, where: 'the workspace', expected: 'a directory and files that can be used' },
  WORLDS: { exit: EXIT.usage, where: '--world', expected: 'a world and a size, such as quotes or long-log:large' },
}

/** Codes that say something else than the others of their area. */
const OWN_AREAS: Readonly<Record<string, ErrorArea>> = {
  E_SIM_SERVE: { exit: EXIT.model, where: '--port', expected: 'a port that is free' },
}

/** Whatever has another code was raised by a module or a plugin. */
const OTHER_AREA: ErrorArea = { exit: EXIT.module, where: 'a plugin', expected: 'a plugin that does not fail' }

/** Codes that end otherwise than their area: parts that do not fit are invalid input; a name that is not there too. */
const EXCEPTIONS: Readonly<Record<string, ExitCode>> = {
  E_BENCH_OPTION: EXIT.usage,
  E_PROTOCOL_REQUIRES: EXIT.invalid,
  E_PROTOCOL_MODEL: EXIT.invalid,
  E_PROTOCOL_TOOL: EXIT.invalid,
  E_CREATE_EXISTS: EXIT.invalid,
  E_CREATE_WRITE: EXIT.invalid,
  E_RUN_TASK: EXIT.invalid,
  E_RUN_JOURNAL: EXIT.invalid,
  E_RUN_SNAPSHOT: EXIT.invalid,
  E_RUN_ANSWER: EXIT.usage,
  E_RUN_EMPTY_REPLY: EXIT.model,
  E_MODEL_UNKNOWN: EXIT.invalid,
  E_LLAMA_WEIGHTS: EXIT.invalid,
  E_LLAMA_FILE: EXIT.invalid,
  E_LLAMA_OPTIONS: EXIT.invalid,
  E_LLAMA_FOLDER: EXIT.invalid,
}

/** The area of a code, `E_<AREA>_<WHAT>`. */
export function areaOf(code: string): ErrorArea {
  if (Object.hasOwn(OWN_AREAS, code)) return OWN_AREAS[code] as ErrorArea
  const name = code.split('_')[1] ?? ''
  return Object.hasOwn(AREAS, name) ? (AREAS[name] as ErrorArea) : OTHER_AREA
}

/** The exit code of an error by its code. */
export function exitCodeOfErrorCode(code: string): ExitCode {
  if (Object.hasOwn(CLI_CODES, code)) return CLI_CODES[code as CliCode]
  if (Object.hasOwn(EXCEPTIONS, code)) return EXCEPTIONS[code] as ExitCode
  return areaOf(code).exit
}

/** The exit code of whatever was thrown: what has no code is a bug. */
export function exitCodeOfError(thrown: unknown): ExitCode {
  return isHarnessError(thrown) ? exitCodeOfErrorCode(thrown.code) : EXIT.internal
}
