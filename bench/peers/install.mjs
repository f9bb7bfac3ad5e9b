// Other frameworks, in exact versions, each in a folder of its own outside the workspace. They stay there for the next time.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const openAiCompatible = { ai: '6.0.326', '@ai-sdk/openai-compatible': '2.0.92' }
const langchain = { '@langchain/langgraph': '1.7.3', '@langchain/openai': '1.5.8', '@langchain/core': '1.4.0' }
const zod = { zod: '4.6.7' }

const PEERS = {
  ai: { ...openAiCompatible, ...zod },
  'openai-agents': { '@openai/agents': '0.14.3', openai: '6.49.0', ...zod },
  langgraph: { ...langchain, ...zod },
  langchain: { langchain: '1.5.14', ...langchain, ...zod },
  mastra: { '@mastra/core': '1.71.0', '@ai-sdk/openai-compatible': '2.0.92', ...zod },
  pi: { '@mariozechner/pi-agent-core': '0.73.1', '@mariozechner/pi-ai': '0.73.1' },
  voltagent: { '@voltagent/core': '2.10.0', ...openAiCompatible, ...zod },
}
const folder = join(tmpdir(), 'harnesswright-bench-peers')

/** Installs what is not there yet; gives the loop of each peer and the versions of its packages. */
export function installPeers() {
  return Object.entries(PEERS).map(([name, dependencies]) => {
    const home = join(folder, name)
    const wanted = JSON.stringify({ private: true, type: 'module', dependencies }, null, 2)
    const manifest = join(home, 'package.json')
    const done = join(home, 'installed')
    mkdirSync(home, { recursive: true })
    if (!existsSync(done) || readFileSync(manifest, 'utf8') !== wanted) {
      writeFileSync(manifest, wanted)
      install(name, home)
      writeFileSync(done, '')
    }
    const loop = join(home, 'loop.mjs')
    copyFileSync(join(import.meta.dirname, `${name}.mjs`), loop) // bare names resolve from where it stands
    copyFileSync(join(import.meta.dirname, '../loops/task.mjs'), join(home, 'task.mjs'))
    return { name, file: pathToFileURL(loop).href, versions: dependencies }
  })
}

function install(name, home) {
  console.error(`installing ${name}`)
  const isWindows = process.platform === 'win32'
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd: home, stdio: ['ignore', 2, 2], shell: isWindows })
  if (status !== 0) throw new Error(`npm could not install ${name}`)
}
