import type { Arguments } from '../args/parse-arguments.js'
import { readConfig } from '../config/read-config.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { listSeeds } from '../packages/list-seeds.js'
import { listPackages } from '../packages/project-packages.js'
import { printListing, refuseWords } from './list-command.js'

/** `seeds`: the scaffolds that are installed, from their manifests and cards. */
export async function seedsCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const { catalog, installed } = listPackages(await readConfig(args, io), io.cwd)
  const seeds = listSeeds(installed).map(({ manifest, ...seed }) => {
    const version = catalog.packages.find(({ description }) => description.name === seed.package)?.version
    return { ...seed, version: version ?? '', manifest: JSON.parse(manifest) as unknown }
  })
  const lines = seeds.flatMap(({ scaffold, package: name, version, description, whenToPick }) => [
    `${scaffold}  (${name} ${version})`,
    `  ${description}`,
    ...(whenToPick === '' ? [] : [`  ${whenToPick}`]),
    '',
  ])
  printListing(
    { json: { seeds }, lines: [...lines, 'Run one with: harnesswright run --seed <scaffold> "…"'] },
    args,
    io,
  )
  return EXIT.ok
}
