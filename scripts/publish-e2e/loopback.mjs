// What keeps a publish on this computer: a program that publishes is run so that it knows no registry but the one on the
// loopback address, has credentials for no other, and sends whatever is for another address to a proxy that is not there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Nobody listens here: what is sent to it is refused at once. */
const NOWHERE = 'http://127.0.0.1:1/'

/** Throws unless an address is one of this computer. */
export function assertLoopback(address) {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'http:' || hostname !== '127.0.0.1') throw new Error(`not on the loopback address: ${address}`)
}

/** A file of settings under which npm and pnpm find packages of these scopes in the registry. Who reads it may publish there. */
function settings(registry, scopes) {
  assertLoopback(registry)
  const mapped = scopes.map((scope) => `${scope}:registry=${registry}`)
  return [...mapped, `${registry.replace('http:', '')}:_authToken=local`, '']
}

/**
 * Variables for programs that install: the settings of the person, for a proxy or a certificate, without credentials and
 * without registries of scopes, and those of the registry on the loopback address.
 */
export function installing(file, { registry, scopes, user }) {
  const own = existsSync(user) ? readFileSync(user, 'utf8').split('\n') : []
  const harmless = own.filter((line) => !/_auth|_password|username|:registry\s*=/i.test(line))
  writeFileSync(file, [...harmless, ...settings(registry, scopes)].join('\n'))
  return { NPM_CONFIG_USERCONFIG: file }
}

/** Variables for programs that publish: nothing of the person's settings, and no way out. */
export function publishing(file, { registry, scopes }) {
  const way = ['proxy', 'https-proxy'].map((name) => `${name}=${NOWHERE}`)
  const alone = [`registry=${registry}`, 'noproxy=127.0.0.1', 'fetch-retries=0']
  writeFileSync(file, [...alone, ...way, ...settings(registry, scopes)].join('\n'))
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
    [name, NOWHERE],
    [name.toLowerCase(), NOWHERE],
  ])
  return {
    ...Object.fromEntries(proxies),
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    npm_config_registry: registry,
    npm_config_proxy: NOWHERE,
    npm_config_https_proxy: NOWHERE,
    npm_config_noproxy: '127.0.0.1',
    NPM_CONFIG_USERCONFIG: file,
  }
}
