// Writes harnesswright.json of every seed and plugin that has modules, from its code; with --check, says which differ. It is
// "harnesswright describe" for each of them.
//   tsx --conditions=@harnesswright/source scripts/describe-packages.mjs [--check]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const { main } = await import(pathToFileURL(join(root, 'packages/cli/src/main.ts')).href)
const check = process.argv.includes('--check') ? ['--check'] : []

for (const kind of ['seeds', 'plugins'])
  for (const dir of readdirSync(join(root, 'packages', kind)).sort()) {
    const at = join(root, 'packages', kind, dir)
    if (!existsSync(join(at, 'package.json'))) continue
    if (JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).harnesswright === undefined) continue // has no modules
    process.exitCode = Math.max(process.exitCode ?? 0, await main(['describe', at, ...check]))
  }
