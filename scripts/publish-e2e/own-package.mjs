// The way of an author: create a package, write a memory in it, test it, publish it; and that of a person who installs it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEMORY, MEMORY_TEST, manifestWith } from './own-words.mjs'

/** Scope of the author, which is no scope of ours. */
export const SCOPE = '@acme'
const NAME = `${SCOPE}/harnesswright-own-words`

/**
 * @param at - `work`: a folder of the test; `registry`: the address; `tarball(name)`: the address of a published package;
 * `commandLine`: the addresses with which harnesswright is installed;
 * `installs`, `publishes`: variables of programs that do so; `step`, `sh`, `both`: as in publish-e2e.mjs.
 */
export function testOwnPackage({ work, registry, tarball, commandLine, installs, publishes, step, sh, both }) {
  const authors = join(work, 'authors')
  mkdirSync(authors)
  const own = join(authors, 'harnesswright-own-words')
  const create = (words, cwd) =>
    sh(
      'npm',
      ['exec', '--yes', `--package=${tarball('create-harnesswright')}`, '--', 'create-harnesswright', ...words],
      {
        cwd,
        env: installs,
      },
    )

  step('create-harnesswright, as it is published, writes a package', () => {
    create(['module', NAME], authors)
    if (!existsSync(join(own, 'src/memory.ts'))) throw new Error('no module was written')
  })
  step('an author installs what it needs, and its tests are green as they are', () => {
    sh('npm', ['install', '--save-dev', ...commandLine], { cwd: own, env: installs })
    sh('npm', ['test'], { cwd: own, env: installs })
  })
  step('what is packed describes the code: an older description is refused until it is written again', () => {
    writeFileSync(join(own, 'src/memory.ts'), MEMORY)
    writeFileSync(join(own, 'test/memory.test.ts'), MEMORY_TEST)
    const refused = failure(() => sh('npm', ['pack', '--dry-run'], { cwd: own, env: installs }))
    if (!refused.includes('differs from the code')) throw new Error(refused)
    sh('npm', ['test'], { cwd: own, env: installs })
    sh('npm', ['pack', '--dry-run'], { cwd: own, env: installs })
    const { modules } = JSON.parse(readFileSync(join(own, 'harnesswright.json'), 'utf8'))
    if (modules.memory.options.properties.fresh === undefined) throw new Error('another module is described')
  })
  step(
    'its types hold with isolatedDeclarations too, as do those of a seed and of a plugin, whose tests are green',
    () => {
      const strictly = (cwd) =>
        sh('npm', ['exec', '--no', '--', 'tsc', '--isolatedDeclarations'], { cwd, env: installs })
      strictly(own)
      const more = join(own, 'more') // finds what is installed in the folders above it
      mkdirSync(more)
      for (const kind of ['seed', 'plugin']) {
        create([kind, `a-${kind}`], more)
        sh('npm', ['test'], { cwd: join(more, `a-${kind}`), env: installs })
        strictly(join(more, `a-${kind}`))
      }
    },
  )
  step('npm publish names the local registry and no other, and then publishes there', () => {
    const publish = ['publish', '--registry', registry]
    const { stdout, stderr } = both('npm', [...publish, '--dry-run'], { cwd: own, env: publishes })
    const targets = [...`${stdout}\n${stderr}`.matchAll(/Publishing to (\S+)/g)].map(([, target]) => target)
    if (targets.length === 0 || targets.some((target) => target !== registry)) {
      throw new Error(`would publish to: ${targets.join(' ')}`)
    }
    sh('npm', publish, { cwd: own, env: publishes })
  })

  const user = join(work, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{"private":true}')
  const hw = (words) =>
    sh('npm', ['exec', '--no', '--', 'hw', ...words], {
      cwd: user,
      env: { ...installs, HARNESSWRIGHT_HOME: join(work, 'home') },
    })
  step(
    'the package is installed elsewhere, beside harnesswright and a seed, and is in the catalog once the project names it',
    () => {
      sh('npm', ['install', ...commandLine, '@harnesswright/seed-plan-and-execute'], {
        cwd: user,
        env: installs,
      })
      sh('npm', ['install', '--no-save', NAME], { cwd: user, env: installs })
      if (hw(['catalog', '--json']).includes(NAME))
        throw new Error('a package is listed that the project does not name')
      sh('npm', ['install', NAME], { cwd: user, env: installs })
      if (!hw(['catalog', '--json']).includes(`${NAME}#memory`)) throw new Error('the package is not listed')
      sh('npm', ['ls', '--all'], { cwd: user, env: installs })
    },
  )
  step('a manifest puts its memory between modules of two seeds, and the harness solves a task on sim-mid', () => {
    writeFileSync(join(user, 'manifest.json'), JSON.stringify(manifestWith(NAME)))
    hw(['validate', 'manifest.json'])
    const text = hw(['run', '--manifest', 'manifest.json', '--world', 'quotes', '--model', 'sim-mid', '--json'])
    const { status, check, manifest } = JSON.parse(text)
    if (status !== 'answered' || check?.passed !== true) throw new Error(text)
    if (!JSON.stringify(manifest.memory).includes(NAME)) throw new Error(text)
  })
  step('the conformance kit finds nothing against it where it is installed', () => hw(['conformance', NAME]))
}

/** What a program that must fail says. */
function failure(work) {
  try {
    work()
  } catch (error) {
    return error.message
  }
  throw new Error('it did not fail')
}
