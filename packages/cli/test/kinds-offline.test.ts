import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles, writeProject } from './fixture-project.js'
import { type ChatServer, serveChat, streamOf } from './support/chat-server.js'

const BIN = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
const TSX = createRequire(import.meta.url).resolve('tsx')

/** Tells of every way out of the process before it is taken, and lets it be taken. */
const WATCH = `import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import child from 'node:child_process'
import { writeSync } from 'node:fs'
const tell = (what) => writeSync(2, 'way out: ' + what + '\\n')
const watch = (object, name, describe) => {
  const own = object[name]
  object[name] = function (...args) {
    tell(describe(args))
    return own.apply(this, args)
  }
}
watch(net.Socket.prototype, 'connect', ([given]) => {
  const { host, port, path } = Array.isArray(given) ? given[0] : Object(given)
  return 'connection to ' + (path ?? host + ':' + port)
})
for (const name of Object.keys(dns).filter((name) => /^(lookup|resolve)/.test(name)))
  watch(dns, name, ([host]) => 'question for the address of ' + host)
for (const name of Object.keys(dns.promises).filter((name) => /^(lookup|resolve)/.test(name)))
  watch(dns.promises, name, ([host]) => 'question for the address of ' + host)
watch(dgram, 'createSocket', () => 'datagram')
watch(child.ChildProcess.prototype, 'spawn', ([{ file }]) => 'process ' + file)
`

let box: Sandbox
let collector: { readonly url: string; readonly asked: string[]; close(): Promise<void> }
beforeEach(async () => {
  box = new Sandbox()
  writeProject(box.root)
  writeFiles(box.root, { 'watch.mjs': WATCH })
  collector = await collect()
})
afterEach(async () => {
  await collector.close()
  box.remove()
})

/** A server that would take whatever somebody reports. */
async function collect() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, not on a pipe
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs the program as a process, and gives the ways out of it that it took. Every switch that some library reads is on. */
async function waysOut(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const flags = ['--import', TSX, '--import', pathToFileURL(join(box.root, 'watch.mjs')).href]
  const child = spawn(process.execPath, [...flags, '--conditions=@harnesswright/source', BIN, ...argv], {
    cwd: box.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HARNESSWRIGHT_HOME: box.home,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_EXPORTER: 'otlp',
      LANGSMITH_TRACING: 'true',
      LANGSMITH_ENDPOINT: collector.url,
      HTTP_PROXY: collector.url,
      ...env,
    },
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const ways = [...stderr.matchAll(/^way out: (.+)$/gm)].map(([, way]) => way)
  return { code: code as number, ways, stdout }
}

describe('nothing leaves the process', { timeout: 60_000 }, () => {
  test.each([
    [['run', '--world', 'quotes', '--rng', '7']],
    [['compose', '--world', 'long-log']],
    [['validate', 'answers.json']],
  ])('K71: of %j, though every switch for telemetry that there may be is on', async (argv) => {
    const { code, ways } = await waysOut(argv)

    expect({ code, ways }).toEqual({ code: 0, ways: [] })
    expect(collector.asked).toEqual([])
  })

  describe('but for the requests to the model', () => {
    let server: ChatServer
    beforeEach(async () => {
      server = await serveChat([{ body: streamOf(['all is well']) }])
    })
    afterEach(() => server.close())

    test('K71: which go to its address alone', async () => {
      const argv = ['run', '--manifest', 'says.json', 'what is this?', '--model', 'openai:some-model']
      const { code, ways, stdout } = await waysOut(argv, { OPENAI_BASE_URL: server.url })

      expect({ code, stdout }).toEqual({ code: 0, stdout: 'all is well\n' })
      expect(new Set(ways)).toEqual(new Set([`connection to ${new URL(server.url).host}`]))
      expect(server.received).toHaveLength(1)
      expect(collector.asked).toEqual([])
    })
  })
})
