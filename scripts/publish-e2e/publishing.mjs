// Every public package goes to the registry on the loopback address; before, that nothing can go elsewhere.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertLoopback } from './loopback.mjs'
import { both, failure, sh } from './programs.mjs'

const PUBLIC = 'https://registry.npmjs.org/'

/** Addresses that are none of this computer, however much they look like it. */
const ELSEWHERE = [
  PUBLIC,
  'http://registry.npmjs.org/',
  'https://127.0.0.1/',
  'http://127.0.0.1.example.com/',
  'http://127.0.0.1:80@example.com/',
  'http://user@127.0.0.1/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
]

/** Proves the wall, and publishes behind it. `published`: the manifests of all public packages. */
export async function testPublishing({ root, work, registry, wall, pnpmFile, published, steps }) {
  const { step, skip, must } = steps
  await step('an address that is not of this computer is refused', async () => {
    for (const address of ELSEWHERE) await failure(async () => assertLoopback(address))
    return `${ELSEWHERE.length} addresses`
  })
  await step('no package and no file of the repository names a registry', () => {
    const named = published.filter(({ publishConfig }) => publishConfig?.registry !== undefined)
    if (named.length > 0) throw new Error(named.map(({ name }) => name).join())
    if (existsSync(join(root, '.npmrc'))) throw new Error('a .npmrc of the repository could name one')
  })
  await step('what publishes has no credentials, and reaches the local registry alone', async () => {
    const secret = Object.keys(wall.env).filter((name) => /token|auth|secret|password|key/i.test(name))
    if (secret.length > 0) throw new Error(`variables: ${secret.join()}`)
    for (const client of ['npm', pnpmFile]) {
      await sh(client, ['ping', '--registry', registry], { cwd: work, env: wall.env })
      if (wall.tried.length > 0) throw new Error(`${client} also sent: ${wall.tried.join(', ')}`)
      await refused(wall, () => sh(client, ['ping', '--registry', PUBLIC], { cwd: work, env: wall.env }))
    }
  })
  await step('a publish to another registry is refused, named by an option and by a package', async () => {
    for (const [client, publish] of [
      ['npm', []],
      [pnpmFile, ['--no-git-checks']],
    ]) {
      // biome-ignore format: one line
      for (const [label, publishConfig, words] of [
        ['option', undefined, ['--registry', PUBLIC]],
        ['package', { registry: PUBLIC }, []],
      ]) {
        const cwd = join(work, `elsewhere-${client === 'npm' ? 'npm' : 'pnpm'}-${label}`)
        mkdirSync(cwd)
        writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: '@acme/nowhere', version: '0.0.1', publishConfig }))
        await refused(wall, () => sh(client, ['publish', ...publish, ...words], { cwd, env: wall.env }))
      }
    }
  })
  must('publishing')

  const publish = ['publish', '-r', '--no-git-checks', '--filter', './packages/**', '--registry', registry]
  await step('pnpm publish -r --dry-run names only the local registry', async () => {
    const said = await sh(pnpmFile, [...publish, '--dry-run'], { cwd: root, env: wall.env })
    return `${targetsOf(said, /→ (\S+)/g, registry)} packages`
  })
  must('publishing')
  const log = join(work, 'connections.txt')
  const isTraced = await both('strace', ['-qq', '-e', 'trace=none', 'true']).then(() => true, () => false) // biome-ignore format: one line
  await step('pnpm publish -r sends nothing to another address', async () => {
    const before = wall.tried.length
    const [cmd, ...args] = [
      ...(isTraced ? ['strace', '-f', '-qq', '-e', 'trace=connect', '-o', log] : []),
      pnpmFile,
      ...publish,
    ]
    await sh(cmd, args, { cwd: root, env: wall.env })
    if (wall.tried.length > before) throw new Error(wall.tried.slice(before).join(', '))
  })
  const connected = 'every connection that it made, as the kernel saw them, was to this computer'
  if (!isTraced) skip(connected, 'strace is not here')
  else await step(connected, () => connectionsOf(readFileSync(log, 'utf8'), registry))
  must('installing')
}

/** Throws unless something fails for want of credentials, or because its one way out is the wall. */
async function refused({ tried }, work) {
  const before = tried.length
  const why = await failure(work)
  const sent = tried.splice(before)
  const isPublic = (line) => /registry\.npmjs\.org/.test(line)
  if (!sent.every(isPublic) || !(sent.length > 0 || /\bENEEDAUTH\b/.test(why)))
    throw new Error(`sent: ${sent.join(', ')}\n${why}`)
  return sent.length
}

/** How many packages a dry run names, all of them for one registry. */
export function targetsOf(said, pattern, registry) {
  const targets = [...said.matchAll(pattern)].map(([, target]) => target)
  if (targets.length === 0 || targets.some((target) => target !== registry))
    throw new Error(`would publish to: ${targets.join(' ')}\n${said}`)
  return targets.length
}

/** What the connections of a trace say, when all of them go to the registry. */
function connectionsOf(trace, registry) {
  const calls = trace.split('\n').filter((line) => /connect\(.*AF_INET/.test(line))
  const { port } = new URL(registry)
  const here = (line) => line.includes('inet_addr("127.0.0.1")') && line.includes(`htons(${port})`)
  const others = calls.filter((line) => !here(line))
  if (calls.length === 0 || others.length > 0)
    throw new Error(`${calls.length} connections, others:\n${others.join('\n')}`)
  return `${calls.length} connections`
}
