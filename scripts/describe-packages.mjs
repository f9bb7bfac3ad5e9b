// Writes harnesswright.json of every seed and plugin that has modules, from its code; with --check, says which differ.
//   tsx --conditions=@harnesswright/source scripts/describe-packages.mjs [--check]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const source = (name) => import(pathToFileURL(join(root, 'packages', name, 'src/index.ts')).href)
const { isModule } = await source('core')
const { describePackage } = await source('plugins/manifest')
const check = process.argv.includes('--check')
let differ = 0

for (const kind of ['seeds', 'plugins'])
  for (const dir of readdirSync(join(root, 'packages', kind)).sort()) {
    const at = join(root, 'packages', kind, dir)
    if (!existsSync(join(at, 'package.json'))) continue
    const { name, harnesswright } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    if (harnesswright === undefined) continue // only packages with modules say so, with their authority
    const code = await import(pathToFileURL(join(at, 'src/index.ts')).href)
    const modules = Object.fromEntries(Object.entries(code).filter(([, value]) => isModule(value)))
    const text = `${JSON.stringify(describePackage({ name, authority: harnesswright.authority, modules }), null, 2)}\n`
    const file = join(at, 'harnesswright.json')
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    differ++
    if (check) console.error(`${name}: harnesswright.json differs from the code; run "npm run describe"`)
    else {
      writeFileSync(file, text)
      console.log(`wrote harnesswright.json of ${name}`)
    }
  }
process.exitCode = check && differ > 0 ? 1 : 0
