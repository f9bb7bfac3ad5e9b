import { isHarnessError } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { parseArguments } from './parse-arguments.js'

/** Code and all text of what a command line is refused with. */
function refusal(...argv: readonly string[]): { readonly code: string; readonly text: string } {
  try {
    parseArguments(argv)
  } catch (error) {
    if (isHarnessError(error)) {
      return { code: error.code, text: `${error.message} ${error.details['expected']} ${error.hint}` }
    }
    throw error
  }
  throw new Error(`${argv.join(' ')} was taken`)
}

test('options stand before and after the command, and the last value of one counts', () => {
  const args = parseArguments(['--rng', '3', 'run', 'a task', '--rng=-4', '--json'])

  expect(args).toEqual({
    command: 'run',
    positionals: ['a task'],
    values: { rng: '-4' },
    lists: {},
    switches: new Set(['json']),
  })
})

test('what stands after two dashes is no option', () => {
  expect(parseArguments(['run', '--', '--json']).positionals).toEqual(['--json'])
})

test('-h asks for help', () => {
  expect(parseArguments(['-h']).switches).toEqual(new Set(['help']))
})

test.each([
  ['an unknown option', ['run', '--wrld', 'quotes'], 'E_CLI_OPTION', '--world'],
  ['a short option that there is not', ['run', '-x'], 'E_CLI_OPTION', '-x'],
  ['one dash before a long option', ['run', '-json'], 'E_CLI_OPTION', '-j'],
  ['an option of another command', ['validate', 'm.json', '--world', 'quotes'], 'E_CLI_OPTION', 'run'],
  ['a switch with a value', ['run', '--json=yes'], 'E_CLI_OPTION', '--json'],
  ['an option without its value', ['run', '--rng'], 'E_CLI_OPTION', '<integer>'],
  ['an option where a value should be', ['run', '--rng', '--json'], 'E_CLI_OPTION', '<integer>'],
  ['an empty value', ['run', '--world='], 'E_CLI_OPTION', '<name[:size]>'],
  ['an unknown command', ['rnu'], 'E_CLI_COMMAND', 'run'],
  ['a command of a later version', ['train', 'eval'], 'E_CLI_LATER', 'comes with @harnesswright/plugin-training'],
  ['an option of a later version', ['run', '--mcp', 'x'], 'E_CLI_LATER', 'comes with @harnesswright/plugin-tools-mcp'],
])('%s is refused with a name that is right', (_what, argv, code, hint) => {
  const refused = refusal(...argv)

  expect(refused.code).toBe(code)
  expect(refused.text).toContain(hint)
})
