// What keeps a publish on this computer. A program that publishes has no variable and no setting of the person, so no
// credentials; knows no registry but the one on the loopback address; and what it sends to any other address goes to a proxy that
// refuses it and writes it down.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listening } from './registry.mjs'

/** Throws unless an address is one of this computer, written out. */
export function assertLoopback(address) {
  const { protocol, hostname, username } = new URL(address)
  if (protocol !== 'http:' || hostname !== '127.0.0.1' || username !== '')
    throw new Error(`not on the loopback address: ${address}`)
}

/**
 * All variables of programs that install: those of the person, and their settings (a proxy, a certificate, the cache) without
 * credentials and without registries, but for the one at `front`.
 */
export function installing(file, { front, user, variables }) {
  assertLoopback(front)
  const own = existsSync(user) ? readFileSync(user, 'utf8').split('\n') : []
  const harmless = own.filter((line) => !/_auth|_password|username|registry\s*=|^\s*yes\s*=/i.test(line))
  const answers = ['yes=true', 'audit=false', 'fund=false', 'update-notifier=false'] // a person says yes when asked
  writeFileSync(file, [...harmless, ...answers, `registry=${front}`, ''].join('\n'))
  const others = Object.entries(variables).filter(([name]) => !/^p?npm_/i.test(name))
  return { ...Object.fromEntries(others), NPM_CONFIG_USERCONFIG: file }
}

/**
 * What programs that publish stand behind.
 *
 * @returns `env`: all of their variables; `tried`: what they sent to other addresses, in order; `close`.
 */
export async function buildWall({ work, registry }) {
  assertLoopback(registry)
  const tried = []
  const server = createServer(({ method, url }, response) => {
    tried.push(`${method} ${url}`)
    response.writeHead(403).end()
  })
  server.on('connect', ({ url }, socket) => {
    tried.push(`CONNECT ${url}`)
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const proxy = `http://127.0.0.1:${await listening(server)}/`
  return { env: publishing(work, registry, proxy), tried, close: () => server.close() }
}

function publishing(work, registry, proxy) {
  const home = join(work, 'publisher')
  mkdirSync(home)
  const settings = {
    registry,
    proxy,
    'https-proxy': proxy,
    noproxy: '127.0.0.1',
    'fetch-retries': 0,
    [`${registry.replace('http:', '')}:_authToken`]: 'local', // anybody may publish there, but npm wants to send one
  }
  const file = join(home, '.npmrc')
  writeFileSync(file, Object.entries(settings).map((pair) => `${pair.join('=')}\n`).join('')) // biome-ignore format: one line
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return {
    PATH: process.env.PATH,
    HOME: home,
    ...Object.fromEntries(proxies.map((name) => [name, proxy])),
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    npm_config_userconfig: file,
    npm_config_registry: registry,
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: '127.0.0.1',
  }
}
