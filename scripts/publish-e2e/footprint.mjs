// What harnesswright costs a project: megabytes, packages of others, and milliseconds of its import beside those of package "ai".
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './clients.mjs'
import { sh } from './programs.mjs'

const MOST_MEGABYTES = 35
const MOST_PACKAGES = 25
/** Most CPU of an import of harnesswright, that of its peer being 1. */
const MOST_IMPORT = 1
const PEER = 'ai'
const PEER_VERSION = '6.0.326'
const PROCESSES = 9

/** Throws when what was installed in a folder is more than a project should have to carry. */
export function footprintOf(dir) {
  const modules = join(dir, 'node_modules')
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const names = Object.keys(packages).map((path) => path.split('node_modules/').at(-1))
  const others = names.filter((name) => !/^(@harnesswright\/|(create-)?harnesswright$)/.test(name))
  const megabytes = bytes / 1e6
  const found = `${megabytes.toFixed(1)} MB of ${MOST_MEGABYTES}, ${others.length} packages of others of ${MOST_PACKAGES}`
  if (megabytes > MOST_MEGABYTES || others.length > MOST_PACKAGES) throw new Error(`${found}: ${others.join(' ')}`)
  return found
}

/** Compares import times, in fresh processes that take turns. `dir`: where harnesswright is installed. */
export async function testImport({ dir, work, env, steps }) {
  const name = `harnesswright is imported in no more than ${MOST_IMPORT} times the CPU of ${PEER} ${PEER_VERSION}`
  const peer = emptyFolder(work, 'peer')
  const missing = await sh('npm', ['install', `${PEER}@${PEER_VERSION}`], { cwd: peer, env }).then(
    () => undefined,
    ({ message }) => message.split('\n').find((line) => line.includes('npm error')) ?? message,
  )
  if (missing !== undefined) return steps.skip(name, `${PEER} cannot be installed here (${missing})`)
  await steps.step(name, async () => {
    const times = { own: [], peer: [] }
    for (let turn = 0; turn < PROCESSES; turn++) {
      times.own.push(await importTime('harnesswright', dir, env))
      times.peer.push(await importTime(PEER, peer, env))
    }
    const [own, other] = [times.own, times.peer].map(median)
    const found = `${own.toFixed(0)} ms of CPU, ${other.toFixed(0)} ms, ratio ${(own / other).toFixed(2)}`
    if (own / other > MOST_IMPORT) throw new Error(found)
    return found
  })
}

/** Milliseconds of CPU that an import takes in a fresh process: other work on the machine disturbs them less than time. */
async function importTime(name, cwd, env) {
  const measure = `const begin = process.cpuUsage(); await import('${name}'); const { user, system } = process.cpuUsage(begin); console.log(user + system)`
  return Number(await sh('node', ['--input-type=module', '-e', measure], { cwd, env })) / 1_000
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
