import { parseArgs } from 'node:util'
import { nearestNames } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { COMMANDS, type CommandRow } from './command-table.js'
import { OPTIONS, type OptionRow } from './option-table.js'

/** A command line, read and checked against the tables. */
export interface Arguments {
  /** Absent when none was given, as in `harnesswright --help`. */
  readonly command?: string
  /** What stands after the command. */
  readonly positionals: readonly string[]
  /** Values of options that take one. */
  readonly values: Readonly<Record<string, string>>
  /** Values of options that may be given several times, in their order. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** Names of the switches that were given. */
  readonly switches: ReadonlySet<string>
}

const CONFIG = Object.fromEntries(
  OPTIONS.map(({ name, value }) => [
    name,
    {
      type: value === undefined ? ('boolean' as const) : ('string' as const),
      ...(name === 'help' ? { short: 'h' } : {}),
    },
  ]),
)

/**
 * Reads a command line.
 *
 * @throws HarnessError `E_CLI_COMMAND`, `E_CLI_OPTION` with the nearest names, `E_CLI_LATER` for what is not in this version.
 */
export function parseArguments(argv: readonly string[]): Arguments {
  const { tokens } = parseArgs({
    args: [...argv],
    options: CONFIG,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words: string[] = []
  const values: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  const switches = new Set<string>()
  const given: OptionRow[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const row = findOption(token.name, token.rawName)
    given.push(row)
    if (row.value === undefined) switches.add(checkSwitch(row, token.value))
    else if (row.repeats === true) push(lists, row.name, checkValue(row, token.value, token.inlineValue))
    else values[row.name] = checkValue(row, token.value, token.inlineValue)
  }
  const [name, ...positionals] = words
  const isHelp = switches.has('help') || switches.has('version')
  const command = name === undefined ? undefined : findCommand(name, isHelp)
  for (const row of given) checkUse(row, command)
  return { ...(command === undefined ? {} : { command: command.name }), positionals, values, lists, switches }
}

function push(lists: Record<string, string[]>, name: string, value: string): void {
  const list = lists[name] ?? []
  lists[name] = [...list, value]
}

function findOption(name: string, rawName: string): OptionRow {
  const row = OPTIONS.find((option) => option.name === name)
  if (row !== undefined && rawName.startsWith(name === 'help' ? '-' : '--')) return row
  const nearest = nearestNames(
    name,
    OPTIONS.filter(({ comesWith }) => comesWith === undefined).map((option) => option.name),
  )
  throw cliError('E_CLI_OPTION', {
    message: `There is no option ${rawName}.`,
    where: rawName,
    expected: `one of the options of --help; nearest: ${nearest.map((one) => `--${one}`).join(', ')}`,
    fix: `Write --${nearest[0]}, or run "harnesswright --help". To begin a task with a dash, put -- before it.`,
  })
}

function checkSwitch({ name }: OptionRow, value: string | undefined): string {
  if (value === undefined) return name
  throw cliError('E_CLI_OPTION', {
    message: `--${name} takes no value, and was given one.`,
    where: `--${name}`,
    expected: 'no value',
    fix: `Write --${name} alone.`,
  })
}

function checkValue(
  { name, value: kind }: OptionRow,
  value: string | undefined,
  isInline: boolean | undefined,
): string {
  if (value !== undefined && value !== '' && (isInline === true || !value.startsWith('-'))) return value
  throw cliError('E_CLI_OPTION', {
    message: `--${name} needs a value.`,
    where: `--${name}`,
    expected: kind ?? '',
    fix: `Write --${name}=${kind}, with = when the value begins with a dash.`,
  })
}

function findCommand(name: string, isHelp: boolean): CommandRow {
  const row = COMMANDS.find((command) => command.name === name)
  if (row === undefined) throw unknownCommand(name)
  if (row.comesWith === undefined || isHelp) return row
  throw cliError('E_CLI_LATER', {
    message: `"${name}" is not in this version: it comes with ${row.comesWith}.`,
    where: `harnesswright ${name}`,
    expected: 'a command of this version',
    fix: 'Run "harnesswright --help" for the commands of this version.',
  })
}

function unknownCommand(name: string): Error {
  const here = COMMANDS.filter(({ comesWith, hidden }) => comesWith === undefined && hidden === undefined)
  const nearest = nearestNames(
    name,
    here.map((command) => command.name),
  )
  return cliError('E_CLI_COMMAND', {
    message: `There is no command ${JSON.stringify(name)}.`,
    where: `harnesswright ${name}`,
    expected: `one of ${here.map((command) => command.name).join(', ')}; nearest: ${nearest.join(', ')}`,
    fix: `Write "harnesswright ${nearest[0]}", or put a task after "run": harnesswright run "…".`,
  })
}

/** An option stands with a command that takes it, and is in this version. */
function checkUse({ name, comesWith, commands }: OptionRow, command: CommandRow | undefined): void {
  if (comesWith !== undefined) {
    throw cliError('E_CLI_LATER', {
      message: `--${name} is not in this version: it comes with ${comesWith}.`,
      where: `--${name}`,
      expected: 'an option of this version',
      fix: `Leave --${name} out.`,
    })
  }
  if (commands === undefined || command === undefined || commands.includes(command.name)) return
  throw cliError('E_CLI_OPTION', {
    message: `"${command.name}" takes no option --${name}.`,
    where: `--${name}`,
    expected: `--${name} with ${commands.join(' or ')}`,
    fix: `Leave --${name} out, or use it with "harnesswright ${commands[0]}".`,
  })
}
