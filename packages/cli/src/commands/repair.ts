import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  checkManifest,
  describeRound,
  type Repaired,
  readDocument,
  repairManifest,
  Spending,
} from '@harnesswright/plugin-meta-agent'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import type { Arguments } from '../args/parse-arguments.js'
import { parseLimits } from '../args/parse-limits.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { chooseModel } from '../models/choose-model.js'
import type { MadeModel } from '../models/make-model.js'
import { printComposing } from '../output/print-outcome.js'
import { readTextFile } from '../read-text-file.js'
import { type Host, listAndWarn, openHost } from '../run/host.js'
import { makeEnvironment } from '../run/make-environment.js'
import { repairersOf } from '../run/repairers-of.js'
import { composerOf, makeModelOf, modelLine } from '../run/session.js'
import { cleanJson, cleanLine } from '../text/clean.js'

/** What came of a manifest of a file. */
interface Mended extends Repaired {
  readonly name: string
  readonly spending: Spending
  readonly startedMs: number
  readonly composer: MadeModel | undefined
}

/** `repair <manifest>`: mends what is wrong with the slots of a manifest, and prints it, or writes it into its file. */
export async function repairCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const [file, ...more] = args.positionals
  if (file === undefined || more.length > 0) throw wrongFiles(args.positionals)
  const host = await openHost(args, io)
  const path = resolve(io.cwd, file)
  const { manifest, isMended } = readDocument(await readTextFile(path, { where: file }))
  if (manifest === undefined) throw noManifest(file)
  if (isMended) host.screen.line(`${cleanLine(file)}: the text was no JSON; its slips are mended first`)
  const mended = await mend(manifest, file, host)
  tell(mended, isMended, host)
  const isWhole = mended.checked.harness !== undefined
  const isChanged = isMended || mended.rounds.length > 0
  if (isWhole && args.switches.has('write') && isChanged) {
    writeFileSync(path, `${JSON.stringify(mended.manifest, null, 2)}\n`)
    host.screen.line(`written: ${cleanLine(file)}`)
  }
  print(mended, host)
  return isWhole ? EXIT.ok : EXIT.invalid
}

async function mend(manifest: unknown, name: string, host: Host): Promise<Mended> {
  const { args, io, config, screen, secrets } = host
  const { catalog } = listAndWarn(host)
  const configured = config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const executor = await makeModelOf(choice, host)
  screen.line(modelLine(executor, choice.why))
  const composer = await composerOf(host, executor)
  const directory = mkdtempSync(join(tmpdir(), 'harnesswright-repair-'))
  try {
    const env = makeEnvironment({
      model: executor.model,
      ...(composer === undefined ? {} : { metaModel: composer.made.model }),
      config,
      limits: args.values['limit'] === undefined ? {} : parseLimits(args.values['limit']),
      opened: openWorkspace(directory),
      secrets,
      isRealTime: false,
    })
    const spending = new Spending()
    const startedMs = env.clock.now()
    const options = { catalog, env, origin: 'person', spending } as const
    const repairers = repairersOf(composer)
    const checked = await checkManifest(manifest as never, options) // whatever it is, it is checked as text
    const repaired = await repairManifest(manifest, checked, { ...options, repairers })
    return { ...repaired, name, spending, startedMs: env.clock.now() - startedMs, composer: composer?.made }
  } finally {
    await executor.close?.()
    if (composer !== undefined && composer.made !== executor) await composer.made.close?.()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What was wrong, what was done about it in each round, and what is left. */
function tell(
  { name, rounds, checked, spending, startedMs, composer }: Mended,
  isMended: boolean,
  { screen }: Host,
): void {
  for (const round of rounds) {
    for (const { code, pointer, message } of round.cases) {
      screen.line(
        `wrong: ${code} at ${pointer === '' ? 'the manifest' : cleanLine(pointer)}: ${cleanLine(message, 500)}`,
      )
    }
    for (const line of describeRound(round, cleanLine(name))) screen.line(cleanLine(line, 500))
  }
  const spent = spending.total(startedMs)
  if (composer !== undefined && spent.modelCalls > 0) {
    const { id, simulated = false } = composer.model
    printComposing({ ...spent, model: id, simulated }, screen)
  }
  const count = `${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`
  if (checked.problems.length > 0) {
    for (const { code, pointer, message, fix } of checked.problems) {
      const at = pointer === '' ? 'the manifest' : cleanLine(pointer)
      screen.line(`not mended: ${code} at ${at}: ${cleanLine(message, 500)} ${cleanLine(fix, 300)}`)
    }
    screen.line('docs: docs/guide/compose.md#what-repair-may-touch')
  } else screen.line(rounds.length === 0 && !isMended ? 'nothing is wrong with it' : `mended in ${count}`)
}

function print(
  { manifest, rounds, checked: { harness, problems, stage, notes }, spending, startedMs }: Mended,
  host: Host,
): void {
  const { args, io } = host
  const isMended = harness !== undefined
  const object = {
    mended: isMended,
    rounds,
    problems,
    ...(stage && { stage }),
    notes,
    spent: spending.total(startedMs),
  }
  if (args.switches.has('json')) io.stdout.write(`${cleanJson({ ...object, manifest })}\n`)
  else if (isMended && !args.switches.has('write')) io.stdout.write(`${cleanJson(manifest, 2)}\n`)
}

function wrongFiles(files: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: files.length === 0 ? 'No manifest is named.' : `${files.length} manifests are named.`,
    where: 'harnesswright repair',
    expected: 'the file of one manifest',
    fix: 'Write "harnesswright repair manifest.json".',
  })
}

function noManifest(file: string): Error {
  return cliError('E_CLI_FILE', {
    message: `${file} holds no manifest, not even a broken one.`,
    where: file,
    expected: 'one JSON object with "protocol" and the four slots',
    fix: 'Write one anew: "harnesswright compose" prints one.',
  })
}
