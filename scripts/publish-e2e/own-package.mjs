// The way of an author goes on where the tutorial ends: what is packed agrees with the code, the types hold, and the package is published;
// then that of a person who installs it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './clients.mjs'
import { both, failure, sh } from './programs.mjs'
import { targetsOf } from './publishing.mjs'

const NAME = 'harnesswright-plugin-own-words'

/**
 * @param at - `work`: a folder of the test; `registry`: the address; `own`: the folder of the package that the tutorial leads to;
 * `env`: variables of programs that install; `wall`: what programs stand behind that publish.
 */
export async function testOwnPackage({ work, registry, own, env, wall, step }) {
  const as = { cwd: own, env }
  await step(
    'what is packed describes the code: an older description is refused until it is written again',
    async () => {
      const file = join(own, 'src/short-results.ts')
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Shortens what tools said', 'Cuts what tools said'))
      const refused = await failure(() => sh('npm', ['pack', '--dry-run'], as))
      if (!refused.includes('differs from the code')) throw new Error(refused)
      await sh('npm', ['run', 'build'], as)
      await sh('npm', ['pack', '--dry-run'], as)
      if (!readFileSync(join(own, 'harnesswright.json'), 'utf8').includes('Cuts what tools said'))
        throw new Error('another module is described')
    },
  )
  await step(
    'its types hold with isolatedDeclarations too, as do those of a seed and of a plugin, whose tests are green',
    async () => {
      const strictly = (cwd) => sh('npm', ['exec', '--no', '--', 'tsc', '--isolatedDeclarations'], { cwd, env })
      await strictly(own)
      const more = join(own, 'more') // finds what is installed in the folders above it
      mkdirSync(more)
      for (const kind of ['seed', 'plugin']) {
        await sh('npm', ['create', 'harnesswright', kind, `a-${kind}`], { cwd: more, env })
        await sh('npm', ['test'], { cwd: join(more, `a-${kind}`), env })
        await strictly(join(more, `a-${kind}`))
      }
    },
  )
  await step('npm publish names the local registry and no other, and then publishes there', async () => {
    const behind = { cwd: own, env: wall.env }
    const { stdout, stderr } = await both('npm', ['publish', '--dry-run'], behind)
    targetsOf(`${stdout}\n${stderr}`, /Publishing to (\S+)/g, registry)
    const before = wall.tried.length
    await sh('npm', ['publish'], behind)
    if (wall.tried.length > before) throw new Error(wall.tried.slice(before).join(', '))
  })
  await testUser({ user: emptyFolder(work, 'user'), env: { ...env, HARNESSWRIGHT_HOME: join(work, 'home') }, step })
}

/** A person who installs the package beside harnesswright. */
async function testUser({ user, env, step }) {
  const as = { cwd: user, env }
  const hw = (words) => sh(join(user, 'node_modules/.bin/hw'), words, as)
  await step('the package is installed elsewhere, and is in the catalog once the project names it', async () => {
    await sh('npm', ['install', 'harnesswright'], as)
    await sh('npm', ['install', '--no-save', NAME], as)
    if ((await hw(['catalog', '--json'])).includes(NAME))
      throw new Error('a package is listed that the project does not name')
    await sh('npm', ['install', NAME], as)
    if (!(await hw(['catalog', '--json'])).includes(`${NAME}#shortResults`))
      throw new Error('the package is not listed')
    await sh('npm', ['ls', '--all'], as)
  })
  await step(
    'a manifest puts its memory between modules of two seeds, and the harness solves a task on sim-mid',
    async () => {
      writeFileSync(join(user, 'manifest.json'), JSON.stringify(MANIFEST))
      await hw(['validate', 'manifest.json'])
      const text = await hw(['run', '--manifest', 'manifest.json', '--world', 'quotes', '--model', 'sim-mid', '--json'])
      const { status, check, manifest } = JSON.parse(text)
      if (status !== 'answered' || check?.passed !== true) throw new Error(text)
      if (!JSON.stringify(manifest.memory).includes(NAME)) throw new Error(text)
    },
  )
  await step(
    'the conformance kit finds nothing against it where it is installed',
    async () => void (await hw(['conformance', NAME])),
  )
}

/** A harness of modules of three packages: the author's, and two seeds. */
const MANIFEST = {
  protocol: 1,
  name: 'own-words-in-a-plan',
  packages: {
    [NAME]: '^0.1.0',
    '@harnesswright/seed-plan-and-execute': '>=0.1.0',
    '@harnesswright/seed-react': '>=0.1.0',
  },
  memory: { use: `${NAME}#shortResults`, with: { fresh: 2 } },
  planning: { use: '@harnesswright/seed-plan-and-execute#planning' },
  capability: { use: '@harnesswright/seed-react#capability' },
  action: { use: '@harnesswright/seed-react#action' },
}
