import { parseArgs } from 'node:util'
import { CreateError } from './create-error.js'
import { createPackage, nextSteps } from './create-package.js'
import { KINDS, SLOTS } from './kinds.js'

/** What the program touches of the computer, beside the folder that it makes. */
export interface Surroundings {
  readonly cwd: string
  /** Takes text for standard output. */
  readonly out: (text: string) => void
  /** Takes text for standard error. */
  readonly err: (text: string) => void
}

const HELP = `usage: npm create harnesswright ${KINDS.join('|')} <name> [-- --slot ${SLOTS.join('|')}]

  module  one module, for the slot memory unless --slot names another
  seed    a harness: a module for every slot, and a manifest
  plugin  a plugin that taps the hooks of any harness

The name is a short one, such as own-words, or that of the package: @you/harnesswright-own-words.
`

/**
 * Runs `create-harnesswright`.
 *
 * @param argv - The arguments, without the program.
 * @returns The exit code: 0; 2 where the command line is wrong; 3 where the package cannot be written there.
 */
export function main(argv: readonly string[], { cwd, out, err }: Surroundings): number {
  try {
    const { values, positionals } = parse(argv)
    if (values.help === true) {
      out(HELP)
      return 0
    }
    const [kind, name, ...more] = positionals
    const made = createPackage({ kind, name, more, slot: values.slot }, cwd)
    err(
      `created ${made.name}: ${made.files.length} files\n\n${nextSteps(made)
        .map((line) => `  ${line}\n`)
        .join('')}\n`,
    )
    out(`${made.directory}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    const { code, message, details, hint, docs } = error
    const lines = [
      `error[${code}] ${message}`,
      `where: ${details.where}`,
      `expected: ${details.expected}`,
      `fix: ${hint}`,
    ]
    err(`${[...lines, `docs: ${docs}`].map(printable).join('\n')}\n`)
    return code === 'E_CREATE_USAGE' || code === 'E_CREATE_NAME' ? 2 : 3
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { slot: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (cause) {
    throw new CreateError('E_CREATE_USAGE', {
      message: cause instanceof Error ? cause.message : String(cause),
      where: 'create-harnesswright',
      expected: `${KINDS.join(', ')} and a name; for a module --slot with ${SLOTS.join(', ')}`,
      fix: 'Run "npm create harnesswright -- --help".',
      cause,
    })
  }
}

/** Without what moves the cursor or turns the direction of the text. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
}
