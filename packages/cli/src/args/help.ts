import { COMMANDS, type CommandRow } from './command-table.js'
import { OPTIONS, type OptionRow } from './option-table.js'

const WIDTH = 34

/** The help of the whole command line, or of one command. */
export function renderHelp(command?: string): string {
  const row = COMMANDS.find(({ name }) => name === command)
  return `${(row === undefined ? renderAll() : renderCommand(row)).join('\n')}\n`
}

function renderAll(): string[] {
  const shown = COMMANDS.filter(({ hidden }) => hidden === undefined)
  return [
    'usage: harnesswright <command> [options]     (short: hw)',
    '',
    'commands',
    ...shown.filter(({ comesWith }) => comesWith === undefined).map(commandLine),
    '',
    'not in this version',
    ...shown.filter(({ comesWith }) => comesWith !== undefined).map(commandLine),
    ...renderOptions(OPTIONS),
    '',
    'environment',
    line('HARNESSWRIGHT_HOME', 'Where runs are kept (default: ~/.harnesswright)'),
    line('HARNESSWRIGHT_MODEL', 'The model, where --model does not name one'),
    line('OPENAI_API_KEY', 'The key of openai, and of the endpoint of OPENAI_BASE_URL (other keys: see "models")'),
    line('OPENAI_BASE_URL', 'Address of an endpoint, instead of that of openai'),
    line('OPENAI_MODEL', 'The model of openai or of that endpoint, where nothing else names a model'),
    line('NO_COLOR', 'No colour and no moving line'),
    '',
    'Without a model the simulated model sim-mid is used: it is no language model, and knows only the tasks of --world.',
    'exit codes: 0 answered, 1 check failed, 2 usage, 3 invalid input, 4 model unusable, 5 limit, 6 module failed, 7 gave up',
  ]
}

function renderCommand(row: CommandRow): string[] {
  const { name, usage, text, comesWith } = row
  const options = OPTIONS.filter((option) => option.commands === undefined || option.commands.includes(name))
  return [
    `usage: harnesswright ${`${name} ${usage}`.trim()} [options]`,
    '',
    `${text}.`,
    ...(comesWith === undefined
      ? renderOptions(options.filter((option) => option.comesWith === undefined))
      : ['', `Not in this version: it comes with ${comesWith}.`]),
  ]
}

function commandLine({ name, usage, text, comesWith }: CommandRow): string {
  return line(`${name} ${usage}`.trim(), comesWith === undefined ? text : `${text}; comes with ${comesWith}`)
}

/** Options under their headings; a heading without options is left out. */
function renderOptions(options: readonly OptionRow[]): string[] {
  const groups = [...new Set(options.map(({ group }) => group))]
  return groups.flatMap((group) => [
    '',
    `options: ${group}`,
    ...options.filter((option) => option.group === group).map(optionLine),
  ])
}

function optionLine({ name, value, text, comesWith }: OptionRow): string {
  const left = value === undefined ? `--${name}` : `--${name} ${value}`
  return line(left, comesWith === undefined ? text : `${text}; comes with ${comesWith}`)
}

function line(left: string, right: string): string {
  return left.length < WIDTH - 2 ? `  ${left.padEnd(WIDTH - 2)}${right}` : `  ${left}\n${' '.repeat(WIDTH)}${right}`
}
