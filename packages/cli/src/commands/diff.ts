import { describeDiff, diffManifests } from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import { type NamedManifest, readNamedManifest } from '../evolve/named-manifest.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { listAndWarn, openHost } from '../run/host.js'
import { shortId } from '../text/format.js'
import { printListing } from './list-command.js'

/** `diff <a> <b>`: how two manifests differ, each a scaffold or a file that ends in `.json`. No package is imported. */
export async function diffCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [a, b, ...more] = args.positionals
  if (a === undefined || b === undefined || more.length > 0) throw wrongWords(args.positionals)
  const packages = listAndWarn(await openHost(args, io))
  const places = { packages, cwd: io.cwd, where: 'harnesswright diff' }
  const [one, other] = [await readNamedManifest(a, places), await readNamedManifest(b, places)]
  const diff = diffManifests(one.manifest, other.manifest, packages.catalog)
  const { distance, differences } = diff
  const json = { same: differences.length === 0, distance, a: named(one), b: named(other), differences }
  printListing({ json, lines: [`a: ${titleOf(one)}`, `b: ${titleOf(other)}`, ...describeDiff(diff)] }, args, io)
  return EXIT.ok
}

function named({ name, manifestId }: NamedManifest): object {
  return { name, manifestId }
}

function titleOf({ name, manifestId }: NamedManifest): string {
  return `${name}, manifest ${shortId(manifestId)}`
}

function wrongWords(words: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `"diff" compares two manifests, and ${words.length} ${words.length === 1 ? 'is' : 'are'} named.`,
    where: 'harnesswright diff',
    expected: 'two of them, scaffolds or files that end in .json',
    fix: 'Write "harnesswright diff react plan-and-execute".',
  })
}
