import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Catalog, CatalogModule, Slot } from '@harnesswright/core'
import type { Arguments } from '../args/parse-arguments.js'
import { readConfig } from '../config/read-config.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { makeDirectory } from '../make-directory.js'
import { Screen } from '../output/screen.js'
import { listPackages } from '../packages/project-packages.js'
import { cleanLine } from '../text/clean.js'
import { formatTable } from '../text/format.js'
import { printListing, refuseWords } from './list-command.js'

const SLOTS: readonly Slot[] = ['memory', 'planning', 'capability', 'action', 'plugin']

/** `catalog`: the modules that a manifest may name, by slot, with their options. */
export async function catalogCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const screen = new Screen(io, args)
  const { catalog, warnings } = listPackages(await readConfig(args, io), io.cwd)
  for (const warning of warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  if (args.switches.has('schema')) {
    const file = await writeSchema(catalog, io.cwd)
    printListing({ json: { schema: file }, lines: [file] }, args, io)
    return EXIT.ok
  }
  const modules = catalog
    .modules()
    .map(({ use, package: from, description }) => ({ use, version: from.version, ...description }))
  printListing({ json: { modules }, lines: SLOTS.flatMap((slot) => describeSlot(slot, catalog)) }, args, io)
  return EXIT.ok
}

/** Where `$schema` of a manifest points. */
async function writeSchema(catalog: Catalog, cwd: string): Promise<string> {
  const file = join(cwd, '.harnesswright', 'manifest.schema.json')
  makeDirectory(dirname(file))
  await writeFile(file, `${JSON.stringify(catalog.schema({ dialect: 'full' }), null, 2)}\n`)
  return file
}

function describeSlot(slot: Slot, catalog: Catalog): string[] {
  const modules = catalog.modules(slot)
  return modules.length === 0 ? [] : [slot, ...modules.flatMap(describeModule), '']
}

function describeModule({ use, package: from, description }: CatalogModule): string[] {
  const properties = (description.options['properties'] ?? {}) as Readonly<Record<string, OptionSchema>>
  const rows = Object.entries(properties).map(([name, schema]) => [
    name,
    describeOption(schema),
    schema.description ?? '',
  ])
  const table = formatTable(rows.map((row) => row.map((cell) => cleanLine(cell)))).map((line) => `      ${line}`)
  return [`  ${use}  (${from.version})`, `    ${description.summary}`, ...table]
}

interface OptionSchema {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

/** Type, range and default of an option in a few characters. */
function describeOption({ type, enum: values, default: preset, minimum, maximum }: OptionSchema): string {
  const kind = values === undefined ? String(type ?? 'value') : values.map((value) => JSON.stringify(value)).join(' | ')
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  const range = isBounded ? ` ${minimum ?? ''}..${maximum}` : ''
  return `${kind}${range}${preset === undefined ? '' : ` = ${JSON.stringify(preset)}`}`
}
