import { resolve } from 'node:path'
import { beganWith } from '@harnesswright/plugin-bench'
import type { Arguments } from '../args/parse-arguments.js'
import { compareBenches } from '../bench/compare-benches.js'
import { measureWorlds } from '../bench/measure-worlds.js'
import { cliError } from '../errors/cli-error.js'
import type { ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'

/** `bench worlds` measures, `bench resume <dir>` goes on with what was ended, `bench compare <a> <b>` compares two of them. */
export async function benchCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [word, ...more] = args.positionals
  if (word === 'worlds' && more.length === 0) return await measureWorlds(args, io)
  const [first, second, ...others] = more
  if (word === 'resume' && first !== undefined && second === undefined) {
    return await measureWorlds(resumed(args, resolve(io.cwd, first)), io)
  }
  if (word === 'compare' && first !== undefined && second !== undefined && others.length === 0) {
    return compareBenches([first, second], args, io)
  }
  throw unknownWords(args.positionals)
}

/** Options that a bench has to be begun with again. What a file says beside them is not read. */
const AGAIN = ['harness', 'worlds', 'rngs', 'model', 'limit'] as const

function resumed(args: Arguments, directory: string): Arguments {
  const given = [...AGAIN, 'out'].find((name) => args.values[name] !== undefined)
  if (given !== undefined) throw givenAgain(given)
  const began = beganWith(directory)
  const values = Object.fromEntries(AGAIN.flatMap((name) => (began[name] === undefined ? [] : [[name, began[name]]])))
  return { ...args, values: { ...args.values, ...values, out: directory } }
}

function givenAgain(name: string): Error {
  return cliError('E_CLI_USAGE', {
    message: `A bench is gone on with as it was begun, and --${name} says something else.`,
    where: `--${name}`,
    expected: 'the directory alone, and --concurrency where it is to be another',
    fix: `Leave --${name} out, or begin another bench with "harnesswright bench worlds".`,
  })
}

function unknownWords(words: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message:
      words.length === 0
        ? '"bench" needs to know what to measure on.'
        : `"bench" does not know ${JSON.stringify(words.join(' '))}.`,
    where: 'harnesswright bench',
    expected: 'worlds and options; resume and the directory of a bench; or compare and two directories',
    fix: 'Write "harnesswright bench worlds --out <dir>", "bench resume <dir>" or "bench compare <a> <b>".',
  })
}
