import { createPackage, nextSteps } from 'create-harnesswright'
import type { Arguments } from '../args/parse-arguments.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { Screen } from '../output/screen.js'
import { cleanLine } from '../text/clean.js'
import { printListing } from './list-command.js'

/** `create <module | seed | plugin> <name>`: writes a package in a new folder of the working directory. */
export async function createCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [kind, name, ...more] = args.positionals
  const screen = new Screen(io, args)
  const made = createPackage({ kind, name, more, slot: args.values['slot'] }, io.cwd)
  screen.progress(`created ${cleanLine(made.name)}: ${made.files.length} files; next:`)
  for (const line of nextSteps(made)) screen.progress(`  ${cleanLine(line)}`)
  printListing({ json: made, lines: [made.directory] }, args, io)
  return EXIT.ok
}
