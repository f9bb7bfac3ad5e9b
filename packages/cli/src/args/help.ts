import { COMMANDS, type CommandRow } from './command-table.js'
import { OPTIONS, type OptionRow } from './option-table.js'

type Row = readonly [left: string, right: string]

const EXAMPLES: readonly Row[] = [
  ['harnesswright run --world quotes', 'Try it: real files, a checker, a simulated model'],
  ['harnesswright run "…" --model ollama:<model>', 'A task of yours, with a language model'],
  ['harnesswright run --help', 'The options of a command'],
]

const ENVIRONMENT: readonly Row[] = [
  ['HARNESSWRIGHT_HOME', 'Where runs are kept (default: ~/.harnesswright)'],
  ['HARNESSWRIGHT_MODEL', 'The model, where --model does not name one'],
  ['OPENAI_API_KEY', 'The key of openai, and of the endpoint of OPENAI_BASE_URL (other keys: see "models")'],
  ['OPENAI_BASE_URL', 'Address of an endpoint, instead of that of openai'],
  ['OPENAI_MODEL', 'The model of openai or of that endpoint, where nothing else names a model'],
  ['NO_COLOR', 'No colour and no moving line'],
]

const EXIT_CODES: readonly Row[] = [
  ['0', 'Answered, and the check passed or there is none'],
  ['1, 5, 7', 'The check failed; a limit ended the run; the agent gave up'],
  ['2, 3', 'The command line is wrong; a manifest, a configuration or a file is'],
  ['4, 6', 'The model cannot be used; a module failed'],
  ['8', 'A person must answer'],
  ['130, 143', 'Interrupted; "resume" goes on with the run'],
]

/** Of commands that make many runs. */
const EXIT_CODES_OF_MANY: readonly Row[] = [
  ['0', 'Done, whatever the rewards'],
  ['2, 3', 'The command line is wrong; a manifest, a configuration or a file is'],
  ['4', 'The model cannot be used, or its endpoint failed runs that are needed'],
  ['5', 'The budget is spent; the same command goes on'],
  ['130, 143', 'Interrupted; the same command goes on'],
]

/** The help of the whole command line, or of one command. */
export function renderHelp(command?: string): string {
  const row = COMMANDS.find(({ name }) => name === command)
  return `${(row === undefined ? renderAll() : renderCommand(row)).join('\n')}\n`
}

/** What there is, and where the rest is said. */
function renderAll(): string[] {
  const shown = COMMANDS.filter(({ hidden }) => hidden === undefined)
  const isHere = ({ comesWith }: CommandRow): boolean => comesWith === undefined
  return [
    'usage: harnesswright <command> [options]     (short: hw)',
    '',
    ...columns(EXAMPLES),
    '',
    'commands',
    ...columns(shown.filter(isHere).map(({ name, usage, text }) => [`${name} ${usage}`.trim(), text])),
    '',
    'not in this version',
    ...columns(
      shown.filter((row) => !isHere(row)).map(({ name, comesWith = '' }) => [name, `comes with ${comesWith}`]),
    ),
    '',
    'options, variables and exit codes are told by "harnesswright <command> --help"',
  ]
}

function renderCommand({ name, usage, text, actions = [], comesWith }: CommandRow): string[] {
  const head = [`usage: harnesswright ${`${name} ${usage}`.trim()} [options]`, '', `${text}.`]
  if (comesWith !== undefined) return [...head, '', `Not in this version: it comes with ${comesWith}.`]
  const options = OPTIONS.filter((option) => option.comesWith === undefined)
  const own = options.filter(({ commands }) => commands?.includes(name))
  const shared = options.filter(({ commands }) => commands === undefined)
  const takes = (option: string): boolean => own.some((row) => row.name === option)
  return [
    ...head,
    ...section('actions', actions),
    ...section('options', own.map(optionRow)),
    ...section('options of every command', shared.map(optionRow)),
    ...(takes('model') ? section('environment', ENVIRONMENT) : []),
    ...(takes('world')
      ? ['', 'Without a model it is sim-mid, which is no language model and knows only the tasks of --world.']
      : []),
    ...(takes('trace') ? section('exit codes', EXIT_CODES) : []),
    ...(takes('concurrency') ? section('exit codes', EXIT_CODES_OF_MANY) : []),
  ]
}

function optionRow({ name, value, text }: OptionRow): Row {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, text]
}

/** Rows under a heading; none where there are no rows. */
function section(heading: string, rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : ['', heading, ...columns(rows)]
}

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
