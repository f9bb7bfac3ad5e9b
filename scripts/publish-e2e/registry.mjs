// The registry on the loopback address, and an address on which a person finds all packages under their names: ours there, the
// others where this computer gets its packages.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

/** Names that only the registry on the loopback address has: ours, and those of authors in the test. */
const OURS = /^\/(@(harnesswright|acme)(\/|%2f)|(create-)?harnesswright\b)/i

/** Starts verdaccio with an empty storage, anonymous publishing and no registry above it. */
export async function startRegistry({ root, work }) {
  const port = await freePort()
  const config = [
    `storage: ${join(work, 'storage')}`,
    `auth: { htpasswd: { file: ${join(work, 'htpasswd')} } }`,
    'uplinks: {}',
    "packages: { '**': { access: $all, publish: $all } }",
    'web: { enable: false }',
    'log: { type: stdout, format: pretty, level: warn }',
    '',
  ]
  writeFileSync(join(work, 'verdaccio.yaml'), config.join('\n'))
  const bin = join(root, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const args = [bin, '--config', join(work, 'verdaccio.yaml'), '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}/`
  const answers = () => fetch(`${address}-/ping`).then(({ ok }) => ok, () => false) // biome-ignore format: one line
  for (let tries = 0; !(await answers()); tries++) {
    if (tries > 150) throw new Error('the registry does not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { address, close: () => child.kill() }
}

/**
 * Starts the address that is set as the registry of a person: it sends a program that asks for a package on to the registry
 * that has it. Nothing is published through it.
 */
export async function startFront({ registry, others }) {
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405).end()
    const location = (OURS.test(url) ? registry : others).replace(/\/$/, '') + url
    response.writeHead(307, { location }).end()
  })
  const port = await listening(server)
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The port on which a server listens, on the loopback address alone. */
export function listening(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
}

async function freePort() {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
