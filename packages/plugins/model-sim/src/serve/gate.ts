import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Refusal } from './refusal.js'

/** Whom a server lets in. */
export interface GateOptions {
  /** The host as it was given. */
  readonly host: string
  /** The address that is listened on. */
  readonly address: string
  readonly token: string | undefined
}

/** Lets a request pass, or throws a {@link Refusal}. */
type Gate = (headers: IncomingHttpHeaders) => void

/** True for an address that only this computer reaches. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/**
 * Refuses requests that a web page sent: a name that was made to point here has another `Host`, and a page says its
 * `Origin`. Then asks for the token, where there is one.
 */
export function createGate({ host, address, token }: GateOptions): Gate {
  const knowsHost = hostMatcher(host, address)
  const knowsToken = token === undefined ? () => true : tokenMatcher(token)
  return ({ host: named = '', origin, authorization = '' }) => {
    if (!knowsHost(named)) throw forbidden('host', 'This server is not called what the Host header says.')
    if (origin !== undefined && origin !== `http://${named}`)
      throw forbidden('origin', 'This server takes no requests from web pages.')
    if (knowsToken(authorization)) return
    const message = 'The token is missing or wrong: send it as "Authorization: Bearer <token>".'
    throw new Refusal({ status: 401, code: 'invalid_api_key', message })
  }
}

function forbidden(what: string, message: string): Refusal {
  return new Refusal({ status: 403, code: `${what}_not_allowed`, message })
}

/** Knows the names of this server, whatever the port: one may be forwarded. */
function hostMatcher(host: string, address: string): (named: string) => boolean {
  const isEverywhere = address === '0.0.0.0' || address === '::'
  const own = isLoopback(address) || isEverywhere ? ['localhost', '127.0.0.1', '::1'] : []
  const names = new Set([...own, host.toLowerCase(), address])
  return (named) => {
    const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(named) ?? []
    const name = (bracketed ?? plain).toLowerCase()
    // No name that was made to point here is an address.
    return names.has(name) || (isEverywhere && isIP(name) !== 0)
  }
}

function tokenMatcher(token: string): (authorization: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return (authorization) => {
    const given = /^Bearer +(.*)$/i.exec(authorization)?.[1]
    return timingSafeEqual(digest(given ?? ''), expected) && given !== undefined
  }
}
