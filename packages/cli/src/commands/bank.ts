import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@harnesswright/core/manifest'
import type { Bank } from '@harnesswright/plugin-bank'
import type { Arguments } from '../args/parse-arguments.js'
import { listBank } from '../bank/list-bank.js'
import { openNamedBank } from '../bank/open.js'
import { explainHarness, showHarness } from '../bank/show-harness.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { openHost } from '../run/host.js'
import { formatCount } from '../text/format.js'
import { type Listing, printListing } from './list-command.js'

/** What is done with a bank, and what stands after its name. */
interface Action {
  /** Of the word after it, where it takes one. */
  readonly takes?: string
  run(bank: Bank, word: string, around: { readonly args: Arguments; readonly io: Io }): Promise<Listing | undefined>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  ls: { run: async (bank) => await listBank(bank) },
  show: { takes: '<harness>', run: async (bank, word) => await showHarness(bank, word) },
  why: { takes: '<harness>', run: async (bank, word) => await explainHarness(bank, word) },
  export: { run: async (bank, _word, around) => exportBank(bank, around) },
  import: { takes: '<file>', run: async (bank, word, { io }) => await importBank(bank, resolve(io.cwd, word)) },
  rebuild: { run: async (bank) => await rebuildBank(bank) },
  prune: { run: async (bank, _word, { args, io }) => await pruneBank(bank, args, io) },
}

/** `bank`: looks at what is remembered of harnesses, takes it elsewhere, and cleans it up. */
export async function bankCommand(args: Arguments, io: Io): Promise<ExitCode> {
  if (args.positionals[0] === 'race') return await (await import('./bank-race.js')).bankRaceCommand(args, io)
  const { action, word } = readWords(args.positionals)
  const bank = await openNamedBank(await openHost(args, io))
  try {
    const listing = await action.run(bank, word, { args, io })
    if (listing !== undefined) printListing(listing, args, io)
    return EXIT.ok
  } finally {
    await bank.close()
  }
}

function readWords([name, word, ...more]: readonly string[]): { readonly action: Action; readonly word: string } {
  const action = name !== undefined && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action !== undefined && (word !== undefined) === (action.takes !== undefined) && more.length === 0)
    return { action, word: word ?? '' }
  const usages = Object.entries(ACTIONS).map(([known, { takes }]) =>
    takes === undefined ? known : `${known} ${takes}`,
  )
  usages.push('race <list> [tasks.jsonl]')
  throw cliError('E_CLI_USAGE', {
    message:
      action === undefined
        ? `"bank" ${name === undefined ? 'needs to know what to do' : `does not know ${JSON.stringify(name)}`}.`
        : `"bank ${name}" takes ${action.takes === undefined ? 'nothing' : `one ${action.takes}`} after it.`,
    where: ['harnesswright bank', name, word, ...more].filter((part) => part !== undefined).join(' '),
    expected: usages.join(', '),
    fix: 'Write "harnesswright bank ls" to see what there is.',
  })
}

/** Lines on standard output, or in the file of `--out`. */
function exportBank(bank: Bank, { args, io }: { readonly args: Arguments; readonly io: Io }): Listing | undefined {
  const { out } = args.values
  if (out === undefined) {
    if (args.switches.has('json')) throw noJson()
    for (const line of bank.exportLines()) io.stdout.write(line)
    return undefined
  }
  const file = resolve(io.cwd, out)
  let entries = 0
  try {
    writeFileSync(file, '', { flag: 'wx' })
    for (const line of bank.exportLines()) {
      writeFileSync(file, line, { flag: 'a' })
      entries += 1
    }
  } catch (cause) {
    throw cannotExport(out, cause)
  }
  return { json: { file, entries }, lines: [`${formatCount(entries)} entries: ${file}`] }
}

async function importBank(bank: Bank, file: string): Promise<Listing> {
  const report = await bank.importFile(file)
  const lines = [`${formatCount(report.added)} entries added, ${formatCount(report.known)} were there already`]
  return { json: report, lines }
}

async function rebuildBank(bank: Bank): Promise<Listing> {
  await bank.rebuild()
  const counts = await bank.counts()
  return {
    json: { index: bank.indexKind, counts },
    lines: [
      `The index (${bank.indexKind}) was made anew: ${formatCount(counts.harnesses)} harnesses, ${formatCount(counts.evaluations)} evaluations`,
    ],
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000

async function pruneBank(bank: Bank, { values }: Arguments, io: Io): Promise<Listing> {
  const days = values['older-than']
  const report = await bank.prune(days === undefined ? {} : { before: io.now() - parseDays(days) * DAY_MS })
  const { kept, dropped, bytesBefore, bytesAfter, old } = report
  return {
    json: report,
    lines: [
      `${formatCount(dropped)} entries dropped, ${formatCount(kept)} kept: ${formatCount(bytesBefore)} bytes became ${formatCount(bytesAfter)}`,
      `The log as it was: ${old} (remove it when you do not need it)`,
    ],
  }
}

function parseDays(text: string): number {
  const days = Number(text)
  if (/^\d+$/.test(text) && days > 0 && Number.isSafeInteger(days)) return days
  throw cliError('E_CLI_OPTION', {
    message: `${JSON.stringify(text)} is no number of days.`,
    where: '--older-than',
    expected: 'a positive whole number of days',
    fix: 'Write --older-than 90.',
  })
}

function noJson(): Error {
  return cliError('E_CLI_OPTION', {
    message: 'An export is lines of JSON, not one object.',
    where: '--json',
    expected: 'no --json, or --out <file>, of which --json tells',
    fix: 'Write "harnesswright bank export > bank.jsonl".',
  })
}

function cannotExport(out: string, cause: unknown): Error {
  const isThere = (cause as { readonly code?: unknown }).code === 'EEXIST'
  return cliError('E_CLI_FILE', {
    message: isThere ? 'The file is there already.' : `The file cannot be written: ${messageOf(cause)}.`,
    where: out,
    expected: 'a file that is not there yet, in a directory that can be written',
    fix: 'Name another file with --out.',
    cause,
  })
}
