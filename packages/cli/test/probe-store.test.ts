import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProbeStore } from '../src/models/probe-store.js'
import { Sandbox } from './fake-io.js'
import { type ChatServer, serveChat } from './support/chat-server.js'

const PROBE = { model: 'compatible:m', hasTools: true, native: true, json: null, plan: false, version: 1 } as const

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'harnesswright-probes-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('what a model was seen to follow is kept by its name and address', async () => {
  await createProbeStore(home, 'http://127.0.0.1:1/v1').set(PROBE)

  expect(await createProbeStore(home, 'http://127.0.0.1:1/v1').get('compatible:m')).toEqual(PROBE)
  expect(await createProbeStore(home, 'http://127.0.0.1:2/v1').get('compatible:m')).toBeUndefined()
  expect(await createProbeStore(home, 'http://127.0.0.1:1/v1').get('compatible:n')).toBeUndefined()
})

test.each([
  '{"broken',
  '{}',
  'null',
  JSON.stringify({ ...PROBE, native: 'yes' }),
  JSON.stringify({ ...PROBE, version: 2 }),
  'x'.repeat(20_000),
])('a file of %s is as good as none', async (text) => {
  const store = createProbeStore(home)
  await store.set(PROBE)
  const [file = ''] = readdirSync(join(home, 'probes'))
  writeFileSync(join(home, 'probes', file), text)

  expect(await store.get('compatible:m')).toBeUndefined()
})

test('an executor is asked three things before a model composes for it, once, and a simulated one is believed', async () => {
  const box = new Sandbox()
  const manifest = {
    name: 'written',
    memory: null,
    planning: null,
    capability: null,
    action: { use: 'react.action' },
  }
  const composed = JSON.stringify({ analysis: 'x', predicted: {}, manifest })
  const server: ChatServer = await serveChat([
    () => ({
      body: {
        choices: [{ index: 0, message: { role: 'assistant', content: composed }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 20 },
      },
    }),
  ])
  try {
    const env = { OPENAI_BASE_URL: server.url }
    const argv = ['compose', 'Write a word.', '--meta-model', 'compatible:composer', '--n', '1', '--json', '--model']
    const counts: number[] = []
    for (const model of ['compatible:executor', 'compatible:executor', 'sim-mid']) {
      const before = server.received.length
      const { code, stdout, stderr } = await box.run([...argv, model], { env })

      expect(code, stderr).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ route: 'model', manifest: { name: 'written' } })
      counts.push(server.received.length - before)
    }
    expect(counts).toEqual([4, 1, 1])
  } finally {
    await server.close()
    box.remove()
  }
})
