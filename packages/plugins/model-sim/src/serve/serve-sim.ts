import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { HarnessError } from '@harnesswright/core'
import { PROFILES, type SimProfile } from '../profiles.js'
import { createSimModel } from '../sim-model.js'
import { createGate, isLoopback } from './gate.js'
import { DEFAULT_SERVER_LIMITS, type SimServerLimits } from './limits.js'
import { Service } from './service.js'

/** Where simulated models are served, which, and to whom. */
export interface SimServerOptions {
  /** Default 0: any that is free. */
  readonly port?: number
  /** Name or address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** The models that are served. Default: all. */
  readonly profiles?: readonly SimProfile[]
  /** Seed of the models' luck, beside the seed of each request. Default 1. */
  readonly seed?: number
  /** What a client must send as `Authorization: Bearer <token>`. May be left out on a loopback address only. */
  readonly token?: string | undefined
  /** Limits, over the defaults. */
  readonly limits?: Partial<SimServerLimits>
}

/** A server that listens. */
export interface SimServer {
  /** Base URL for a client, with `/v1`. */
  readonly url: string
  /** The port that is listened on, where 0 was asked for too. */
  readonly port: number
  /** Stops listening and ends every connection. Settles when all are closed; may be called again. */
  close(): Promise<void>
}

/**
 * Serves simulated models behind the Chat Completions interface, on a port of this computer: `GET /v1/models` and
 * `POST /v1/chat/completions`, streaming and not. A reply is the one that {@link createSimModel} gives in process, its
 * usage too; the simulated time is not slept, but told as `harnesswright.latency_ms` of the body or of the last chunk.
 *
 * Requests of web pages (another `Host`, an `Origin`) are refused, and whatever is larger or slower than the limits.
 *
 * @throws HarnessError `E_SIM_SERVE` when it cannot listen there, or when there is no token and others could reach it;
 * `E_SIM_UNKNOWN_PROFILE` when there is no such profile.
 */
export async function serveSim(options: SimServerOptions = {}): Promise<SimServer> {
  const { port = 0, host = '127.0.0.1', profiles = Object.keys(PROFILES) as readonly SimProfile[], token } = options
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits }
  const seed = options.seed ?? 1
  const models = new Map(profiles.map((profile) => [profile as string, createSimModel({ profile, seed })]))
  const address = await addressOf(host)
  checkToken(address, token)
  const gate = createGate({ host, address, token })
  const service = new Service({ models, gate, bodyBytes: limits.bodyBytes })
  const server = createLimitedServer(limits)
  server.on('request', (request, response) => void service.handle(request, response))
  return toSimServer(await listen(server, port, address), host)
}

function createLimitedServer({ headerBytes, connections, requestMs, idleMs }: SimServerLimits): Server {
  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.ceil(requestMs / 4),
  })
  server.maxConnections = connections
  server.timeout = idleMs
  return server
}

async function addressOf(host: string): Promise<string> {
  try {
    if (host === '') throw new Error('A host was expected.') // an empty one would mean: everywhere
    return (await lookup(host)).address
  } catch (cause) {
    throw cannotServe(`The host ${JSON.stringify(host)} has no address.`, cause)
  }
}

function checkToken(address: string, token: string | undefined): void {
  if (token === '') throw cannotServe('The token is empty.')
  if (token === undefined && !isLoopback(address))
    throw cannotServe(`Others can reach ${address}, and there is no token.`)
}

async function listen(server: Server, port: number, host: string): Promise<Server> {
  try {
    const listening = once(server, 'listening')
    server.listen({ port, host })
    await listening
    return server
  } catch (cause) {
    throw cannotServe(`Port ${port} of ${host} cannot be listened on.`, cause)
  }
}

function toSimServer(server: Server, host: string): SimServer {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  let closed: Promise<void> | undefined
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}/v1`,
    port,
    close: () => {
      closed ??= closeServer(server)
      return closed
    },
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function cannotServe(message: string, cause?: unknown): HarnessError {
  return new HarnessError('E_SIM_SERVE', {
    message: `The simulated models cannot be served. ${message}`,
    hint: 'Serve on 127.0.0.1 and a free port (0), or give a token of your own.',
    cause,
  })
}
