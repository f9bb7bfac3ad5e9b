import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveSim } from '@harnesswright/plugin-model-sim'

/** The simulated models behind a port, with a gate before them. */
export interface GatedEndpoint {
  /** Base URL for a client, with `/v1`. */
  readonly url: string
  /** Requests that came since the gate was last set. */
  readonly requests: number
  /** Holds the request of this number back for ever, and says when it is there. 0: none. */
  holdAt(number: number): Promise<void>
  close(): Promise<void>
}

/** Serves the simulated models; a request that is held gets no answer, and its caller waits. */
export async function serveGated(): Promise<GatedEndpoint> {
  const sim = await serveSim()
  let requests = 0
  let held = 0
  let onHeld = (): void => {}
  const server = createServer(async (request, response) => {
    requests++
    if (requests === held) return onHeld()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { origin } = new URL(sim.url)
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // it listens on a port, not on a pipe
    get requests() {
      return requests
    },
    holdAt(number) {
      requests = 0
      held = number
      return new Promise((resolve) => {
        onHeld = resolve
      })
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await sim.close()
    },
  }
}
