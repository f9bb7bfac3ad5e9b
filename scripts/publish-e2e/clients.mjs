// What a person does with the packages in a clean folder, with npm and with pnpm: imports, requires and type-checks them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { both, sh } from './programs.mjs'

/** Assembles a published seed by its own manifest and runs it on a scripted model. */
const SMOKE = `
import { assemble, createEnvironment } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import manifest from '@harnesswright/seed-react/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'
const catalog = createCatalog([definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } })])
const harness = await assemble(manifest, { catalog, env: createEnvironment({ model: createScriptedModel(['hi']) }) })
console.log((await harness.run('say hi').result).answer)
`

const REQUIRE = `
const { assemble } = require('@harnesswright/core')
const { memory } = require('@harnesswright/seed-react')
console.log(typeof assemble, memory.slot)
`

/** What an author of a module writes, with every type inferred. */
const TYPES = `
import { defineModule, defineTool } from '@harnesswright/core'
import * as z from 'zod'
export const tool = defineTool({ name: 'add', description: 'Adds.', input: z.object({ a: z.number() }), execute: ({ a }) => a + 1 })
export const memory = defineModule({
  slot: 'memory',
  summary: 'Everything.',
  options: z.strictObject({ last: z.int().default(3).describe('Steps.') }),
  prompts: { left: 'left out: {{n}}' },
  state: () => ({ n: 0 }),
  view: (ctx) => ({ messages: ctx.view.messages.slice(0, ctx.options.last + ctx.state.n + ctx.prompt('left', { n: 1 }).length) }),
})
`

const STRICT = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', '']

/** @param client - Its name, and `install`, which installs packages in a folder. */
export async function testClient({ client, install, root, work, env, step }) {
  const dir = emptyFolder(work, client)
  const packages = ['@harnesswright/core', '@harnesswright/plugin-manifest', '@harnesswright/seed-react', 'zod']
  writeFileSync(join(dir, 'a.mjs'), SMOKE)
  writeFileSync(join(dir, 'b.cjs'), REQUIRE)
  writeFileSync(join(dir, 'c.ts'), TYPES)
  await step(`${client} installs in a clean folder`, async () => void (await install(packages, dir)))
  await step(`${client}: import`, () => says('hi', sh('node', ['a.mjs'], { cwd: dir, env })))
  await step(`${client}: require(esm)`, () => says('function memory', sh('node', ['b.cjs'], { cwd: dir, env })))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await step(`${client}: types`, async () => void (await sh(process.execPath, [tsc, ...STRICT, 'c.ts'], { cwd: dir })))
}

/** All packages in one folder. */
export async function testAllPackages({ published, work, env, step }) {
  const cwd = emptyFolder(work, 'all')
  await step(
    `npm installs all ${published.length} packages beside each other without a warning about peers (K66)`,
    async () => {
      await installQuietly(published.map(({ name }) => name), { cwd, env }) // biome-ignore format: one line
      await sh('npm', ['ls', '--all'], { cwd, env }) // ends with an error when a peer is missing or does not fit
    },
  )
}

/** Installs packages with npm; throws when it has a word to say on peers. */
export async function installQuietly(packages, { cwd, env }) {
  const { stdout, stderr } = await both('npm', ['install', ...packages], { cwd, env })
  const warnings = `${stdout}\n${stderr}`.split('\n').filter((line) => /peer|ERESOLVE/i.test(line))
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
}

/** A folder with nothing but the package.json of a project that is never published. */
export function emptyFolder(work, name) {
  const dir = join(work, name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), '{"private":true}')
  return dir
}

async function says(expected, printed) {
  const found = (await printed).trim()
  if (found !== expected) throw new Error(`it printed: ${found}`)
}
