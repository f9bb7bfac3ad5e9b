import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from './certificate.js'

/** Answers one request of a server; `index` counts them from 0. */
export type Answer = (request: IncomingMessage, response: ServerResponse, index: number) => void

/** A server of weights on this computer. */
export interface WeightsServer {
  readonly url: string
  /** Its certificate, to be trusted. */
  readonly ca: string
  /** What was asked: paths and ranges. */
  readonly requests: { readonly path: string; readonly range: string | undefined }[]
}

const certificate = makeCertificate()

/** Runs work against a real https server on loopback, and closes it. */
export async function withServer(answer: Answer, work: (server: WeightsServer) => Promise<void>): Promise<void> {
  const requests: { path: string; range: string | undefined }[] = []
  const server = createServer(certificate, (request, response) => {
    const index = requests.push({ path: request.url ?? '', range: request.headers.range }) - 1
    answer(request, response, index)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await work({ url: `https://localhost:${port}/weights.gguf`, ca: certificate.cert, requests })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Answers with a file as servers of files do, from the byte that is asked for. */
export function sends(file: Buffer, { ranges = true } = {}): Answer {
  return (request, response) => {
    const from = ranges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
    if (from >= file.length) return void response.writeHead(416).end()
    const length = { 'content-length': file.length - from }
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }
    response.writeHead(from > 0 ? 206 : 200, { ...length, ...(from > 0 ? range : {}) })
    response.end(file.subarray(from))
  }
}

/** Sends the file up to a byte, then breaks the line. */
export function breaksAfter(file: Buffer, bytes: number): Answer {
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': file.length - from, ...(from > 0 ? range : {}) })
    response.write(file.subarray(from, from + bytes), () => response.destroy())
  }
}
