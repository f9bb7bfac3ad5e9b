import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { HarnessError } from '@harnesswright/core'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A line that broke or was silent: what came before stands, and another attempt may bring the rest. */
export class BrokenLine extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
    this.name = 'BrokenLine'
  }
}

/** How an address is asked. */
export interface Asking {
  /** Byte from which on the file is wanted. */
  readonly from: number
  /** Further certificates that are trusted, in PEM. */
  readonly ca?: string
  readonly signal: AbortSignal
}

/**
 * Asks an https address, and follows where it leads, by https alone.
 *
 * @throws BrokenLine when the line does not stand; HarnessError `E_LLAMA_DOWNLOAD` for another protocol, or too many redirects.
 */
export async function openAddress(address: string, asking: Asking): Promise<IncomingMessage> {
  let url = httpsOnly(address, address)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await ask(url, asking)
    const { location } = response.headers
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return response
    response.destroy()
    url = httpsOnly(location, url)
  }
  throw refused(`it leads on more than ${MAX_REDIRECTS} times`)
}

function httpsOnly(location: string, from: string): string {
  const url = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (url?.protocol === 'https:') return url.href
  throw refused(
    `${hostOf(from)} leads to ${url === undefined ? 'no address' : `a ${url.protocol.slice(0, -1)} address`}`,
  )
}

function ask(url: string, { from, ca, signal }: Asking): Promise<IncomingMessage> {
  const headers = {
    'accept-encoding': 'identity',
    'user-agent': 'harnesswright',
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, signal, ...(ca === undefined ? {} : { ca: [ca] }) }, resolve)
    asked.once('error', (error) =>
      reject(signal.aborted ? signal.reason : new BrokenLine(`${hostOf(url)} was not reached`, error)),
    )
    asked.end()
  })
}

/** The host of an address: the rest may hold a signature, which is a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address'
}

function refused(what: string): HarnessError {
  return new HarnessError('E_LLAMA_DOWNLOAD', {
    message: `The weights cannot be downloaded: ${what}.`,
    hint: 'Only https is used. Give the path of a file that you fetched yourself.',
  })
}
