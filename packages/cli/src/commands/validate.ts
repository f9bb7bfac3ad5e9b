import { resolve } from 'node:path'
import { harnessIdOf, manifestIdOf, readManifest } from '@harnesswright/plugin-manifest'
import type { Arguments } from '../args/parse-arguments.js'
import { readConfig } from '../config/read-config.js'
import { cliError } from '../errors/cli-error.js'
import { renderProblems } from '../errors/problems.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { checkLocked } from '../lock/check-locked.js'
import { Screen } from '../output/screen.js'
import { listPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'
import { cleanJson, cleanLine } from '../text/clean.js'
import { shortId } from '../text/format.js'

/** `validate <manifest>`: every problem at once, in the order of the file, and whether it is locked with other packages. No package is imported. */
export async function validateCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals
  if (file === undefined || more.length > 0) throw wrongFiles(args.positionals)
  const screen = new Screen(io, args)
  const { catalog, warnings } = listPackages(await readConfig(args, io), io.cwd)
  for (const warning of warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  const path = resolve(io.cwd, file)
  const text = await readTextFile(path, { where: file })
  const { manifest, problems } = await readManifest(text, { catalog, origin: 'person' })
  if (manifest !== undefined) await checkLocked({ path, file, text }, catalog)
  const isJson = args.switches.has('json')
  if (manifest === undefined) {
    if (isJson) io.stdout.write(`${cleanJson({ valid: false, problems })}\n`)
    screen.line(`${cleanLine(file)}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
    for (const line of renderProblems(problems)) screen.line(line)
    screen.line('docs: docs/guide/errors-manifest.md')
    return EXIT.invalid
  }
  const [manifestId, harnessId] = [await manifestIdOf(manifest, catalog), await harnessIdOf(manifest, catalog)]
  const line = `valid: ${cleanLine(manifest.name)}, manifest ${shortId(manifestId)}, harness ${shortId(harnessId)}`
  io.stdout.write(`${isJson ? cleanJson({ valid: true, problems, manifestId, harnessId }) : line}\n`)
  return EXIT.ok
}

function wrongFiles(files: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: files.length === 0 ? 'No manifest is named.' : `${files.length} manifests are named.`,
    where: 'harnesswright validate',
    expected: 'the file of one manifest',
    fix: 'Write "harnesswright validate manifest.json".',
  })
}
