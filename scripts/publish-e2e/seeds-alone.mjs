// Each seed in a folder of its own. With core alone, laid out so that a package sees what it declares and nothing else: it is imported,
// required, assembled by its manifest and run. And as a person has it, with npm and harnesswright: its manifest does a task.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { emptyFolder, installQuietly } from './clients.mjs'
import { both, sh } from './programs.mjs'

/** Assembles a seed by its manifest from what can be found from the seed's own place, and runs it on a scripted model. */
const ALONE = `
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { assemble, createEnvironment } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
const [seed, plugin] = process.argv.slice(2)
const { createCatalog, definePackage } = await import(plugin)
const own = createRequire(import.meta.resolve(seed + '/package.json'))
const load = async (name) => ({ ...(await import(pathToFileURL(own.resolve(name)).href)) })
const manifest = own(seed + '/manifest.json')
const packages = Object.keys(manifest.packages).map(async (name) =>
  definePackage({ name, version: own(name + '/package.json').version, modules: await load(name) }))
const catalog = createCatalog(await Promise.all(packages))
const harness = await assemble(manifest, { catalog, env: createEnvironment({ model: createScriptedModel(['hi']) }) })
console.log(Object.keys(await import(seed)).sort().join(), (await harness.run('say hi').result).answer)
`

const REQUIRED = 'console.log(Object.keys(require(process.argv[2])).sort().join())'

/** A folder with what reads manifests, so that the folders of seeds need not have it. */
export async function installReader({ work, pnpm }) {
  const dir = emptyFolder(work, 'reader')
  await pnpm(['add', '@harnesswright/plugin-manifest', '@harnesswright/core'], { cwd: dir })
  return pathToFileURL(createRequire(join(dir, 'package.json')).resolve('@harnesswright/plugin-manifest')).href
}

/** @param reader - Address of the module that `installReader` gives. */
export async function testSeedAlone({ seed, reader, work, pnpm, env, step }) {
  const short = seed.split('/').at(-1)
  await step(`${short} alone with core, and with harnesswright (K67)`, async () => {
    const declared = await withCore({ seed, cwd: emptyFolder(work, join('strict', short)), reader, pnpm, env })
    const ran = await withHarnesswright({ seed, cwd: emptyFolder(work, join('alone', short)), env })
    return `${declared.modules} modules, ${declared.packages} packages; ${ran}`
  })
}

async function withCore({ seed, cwd, reader, pnpm, env }) {
  writeFileSync(join(cwd, 'pnpm-workspace.yaml'), 'hoist: false\n') // no package sees what another one brought
  await pnpm(['add', seed, '@harnesswright/core'], { cwd })
  const modules = await imported({ seed, cwd, reader, env })
  const inStore = readdirSync(join(cwd, 'node_modules/.pnpm')).filter((name) => name.includes('@'))
  return { modules: modules.length, packages: inStore.length }
}

async function withHarnesswright({ seed, cwd, env }) {
  await installQuietly([seed, 'harnesswright'], { cwd, env })
  await sh('npm', ['ls', '--all'], { cwd, env })
  const at = join('node_modules', seed)
  const { modules } = JSON.parse(readFileSync(join(cwd, at, 'harnesswright.json'), 'utf8'))
  const required = await sameNames({ seed, cwd, env })
  for (const name of Object.keys(modules))
    if (!required.includes(name)) throw new Error(`harnesswright.json names ${name}, which is not exported`)
  const words = ['run', '--manifest', join(at, 'manifest.json'), '--world', 'quotes', '--model', 'sim-mid', '--json']
  const home = { ...env, HARNESSWRIGHT_HOME: join(cwd, 'home') }
  const text = await sh(join(cwd, 'node_modules/.bin/harnesswright'), words, { cwd, env: home })
  const { status, check, steps } = JSON.parse(text)
  if (status !== 'answered' || check?.passed !== true) throw new Error(text)
  return `on sim-mid ${status}, check passed, ${steps.length ?? steps} steps`
}

/** Imports and requires a seed, assembles and runs it; gives the names that it exports. */
async function imported({ seed, cwd, reader, env }) {
  writeFileSync(join(cwd, 'alone.mjs'), ALONE)
  const [names, answer] = (await quietly(['alone.mjs', seed, reader], { cwd, env })).split(' ')
  if (answer !== 'hi') throw new Error(`it answered ${answer}`)
  await sameNames({ seed, cwd, env }, names)
  return names.split(',')
}

/** The names that a seed exports, the same for `import` and for `require`. */
async function sameNames({ seed, cwd, env }, names) {
  writeFileSync(join(cwd, 'required.cjs'), REQUIRED)
  const asked = `console.log(Object.keys(await import('${seed}')).sort().join())`
  const [required, byImport = names] = await Promise.all([
    quietly(['required.cjs', seed], { cwd, env }),
    ...(names === undefined ? [quietly(['--input-type=module', '-e', asked], { cwd, env })] : []),
  ])
  if (required !== byImport || required === '') throw new Error(`import: ${byImport}; require: ${required}`)
  return required.split(',')
}

/** What a program of Node.js prints; throws when it warns. */
async function quietly(args, options) {
  const { stdout, stderr } = await both('node', args, options)
  if (stderr.trim() !== '') throw new Error(stderr)
  return stdout.trim()
}
