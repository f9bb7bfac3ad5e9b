import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Model } from '@harnesswright/core'
import { afterEach, expect, test } from 'vitest'
import { post } from '../../test/serve-client.js'
import { Service } from './service.js'

const question = { model: 'other', messages: [{ role: 'user', content: 'hello' }] }

let server: Server

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

/** Serves a model that does what is given. */
async function serve(generate: Model['generate']): Promise<string> {
  const models = new Map([['other', { id: 'other', supports: {}, generate }]])
  const service = new Service({ models, gate: () => undefined, bodyBytes: 1_000 })
  server = createServer((request, response) => void service.handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test('a model is told when its client goes away', async () => {
  const client = new AbortController()
  let told: () => void = () => undefined
  const isTold = new Promise<void>((resolve) => {
    told = resolve
  })
  const url = await serve((_request, { signal }) => {
    client.abort()
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        told()
        reject(signal.reason)
      })
    })
  })

  await expect(post(url, question, { signal: client.signal })).rejects.toThrow()
  await isTold
})

test('what a model throws that is no refusal is kept from the client', async () => {
  const url = await serve(() => Promise.reject(new Error('secret at /home/me/file.ts:3')))
  const response = await post(url, question)

  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    error: { code: 'internal_error', type: 'server_error', param: null, message: 'The simulated model failed.' },
  })
})
