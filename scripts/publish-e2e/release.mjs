// A release as changesets makes it, in a clone of the repository: the pending changes, and then a minor one of core alone. Versions
// are those that the changes ask for, nothing goes to 1.0.0 on the way, and what would be published has ranges that fit.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { publicPackages } from './packages.mjs'
import { sh } from './programs.mjs'
import { targetsOf } from './publishing.mjs'

const CORE = '@harnesswright/core'
const WEIGHT = { patch: 1, minor: 2, major: 3 }

/** @param pnpm - Runs pnpm as a person; `wall`, `pnpmFile`, `registry`: to publish with. */
export async function testRelease({ root, work, registry, wall, pnpm, pnpmFile, env, step }) {
  const above = join(work, 'release')
  const cwd = join(above, 'repository')
  mkdirSync(above)
  symlinkSync(join(root, 'node_modules'), join(above, 'node_modules')) // where the clone finds changesets
  const semver = createRequire(join(root, 'packages/plugins/manifest/package.json'))('semver')
  const version = () => sh('node', [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd, env })

  await step('changeset version gives every package the version that its pending changes ask for', async () => {
    await sh('git', ['clone', '--quiet', '--shared', root, cwd], { env })
    const [before, asked] = [versionsOf(cwd), pendingBumps(cwd)]
    await version()
    return compare(before, versionsOf(cwd), (name) => asked.get(name), semver)
  })
  await step(
    'a minor change of core makes no package major, and leaves those alone that have it as a peer',
    async () => {
      const before = versionsOf(cwd)
      writeFileSync(join(cwd, '.changeset/core-again.md'), `---\n'${CORE}': minor\n---\n\nOnce more.\n`)
      await version()
      const dependents = publicPackages(cwd).filter(({ dependencies = {} }) => CORE in dependencies)
      const depends = new Set(dependents.map(({ name }) => name))
      const expected = (name) => (name === CORE ? 'minor' : depends.has(name) ? 'patch' : undefined)
      return compare(before, versionsOf(cwd), expected, semver)
    },
  )
  await step(
    'in that state the ranges that are packed take the new versions, and so do the manifests of seeds',
    async () => {
      const filter = ['--filter', './packages/**']
      await pnpm(['install', '--prefer-offline', '--frozen-lockfile', '--ignore-scripts', ...filter], { cwd })
      const packed = await packAll({ cwd, to: join(above, 'packed'), pnpm, env })
      const versions = versionsOf(cwd)
      return `${packed.reduce((sum, one) => sum + checkRanges(one, versions, semver), 0)} ranges`
    },
  )
  await step('in that state pnpm publish -r --dry-run names only the local registry', async () => {
    const publish = [
      'publish',
      '-r',
      '--dry-run',
      '--no-git-checks',
      '--filter',
      './packages/**',
      '--registry',
      registry,
    ]
    const before = wall.tried.length
    const count = targetsOf(await sh(pnpmFile, publish, { cwd, env: wall.env }), /→ (\S+)/g, registry)
    if (wall.tried.length > before) throw new Error(wall.tried.slice(before).join(', '))
    return `${count} packages`
  })
  rmSync(above, { recursive: true, force: true })
}

function versionsOf(cwd) {
  return new Map(publicPackages(cwd).map(({ name, version }) => [name, version]))
}

/** The largest change that the pending changesets ask for, by package. */
function pendingBumps(cwd) {
  const folder = join(cwd, '.changeset')
  const heads = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => /^---\n([\s\S]*?)^---$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '')
  const bumps = new Map()
  for (const [, name, bump] of heads.join('\n').matchAll(/^["']?([^"'\n]+?)["']?: (major|minor|patch)$/gm))
    if (WEIGHT[bump] > (WEIGHT[bumps.get(name)] ?? 0)) bumps.set(name, bump)
  return bumps
}

/** Throws unless each version went up as expected; a package of which nothing is expected may get a patch for its dependencies. */
function compare(before, after, expected, semver) {
  const wrong = []
  for (const [name, from] of before) {
    const to = after.get(name)
    const bump = expected(name)
    const fits = bump === undefined ? [from, semver.inc(from, 'patch')] : [semver.inc(from, bump)]
    if (!fits.includes(to) || semver.major(to) !== semver.major(from))
      wrong.push(`${name}: ${from} to ${to}, not ${bump}`)
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const versions = [...after.values()]
  return [...new Set(versions)].map((to) => `${versions.filter((one) => one === to).length} at ${to}`).join(', ')
}

/** What names ranges in the tarball of each package: its package.json, and the manifest.json of a seed. */
async function packAll({ cwd, to, pnpm, env }) {
  const packed = []
  for (const { name, folder } of publicPackages(cwd)) {
    const file = join(to, `${name.replace(/\W+/g, '-')}.tgz`)
    await pnpm(['pack', '--out', file], { cwd: folder })
    const read = (path) => sh('tar', ['xzOf', file, `package/${path}`], { env })
    packed.push({
      name,
      pkg: JSON.parse(await read('package.json')),
      manifest: name.includes('/seed-') ? JSON.parse(await read('manifest.json')) : undefined,
    })
  }
  return packed
}

/** Throws unless a package's ranges of ours take the versions there are; gives how many there were. */
function checkRanges({ name, pkg, manifest }, versions, semver) {
  const ranges = [pkg.dependencies, pkg.peerDependencies, pkg.optionalDependencies, manifest?.packages].flatMap(
    (field) => Object.entries(field ?? {}),
  )
  for (const [other, range] of ranges) {
    if (/^(workspace|catalog):/.test(range)) throw new Error(`${name} is packed with ${other} ${range}`)
    const version = versions.get(other)
    if (version !== undefined && !semver.satisfies(version, range))
      throw new Error(`${name}: ${other} ${range}, now ${version}`)
  }
  return ranges.filter(([other]) => versions.has(other)).length
}
