import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles } from './fixture-project.js'

const REACT = '@harnesswright/seed-react'
const SLOW_MS = 60_000 // a process of its own, on a machine that may be busy

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

test('a module that never settles ends a run as a module that failed, where nothing else is under way', {
  timeout: SLOW_MS,
}, () => {
  const memory = { slot: 'memory', summary: 'Waits.', prompts: {}, requires: [], provides: [] }
  const options = { type: 'object', properties: {}, additionalProperties: false }
  const root = 'node_modules/@acme/waits'
  writeFiles(box.root, {
    'package.json': JSON.stringify({ name: 'project', dependencies: { '@acme/waits': '1.0.0' } }),
    'm.json': JSON.stringify({
      protocol: 1,
      name: 'mine',
      packages: { '@acme/waits': '*', [REACT]: '*' },
      memory: { use: '@acme/waits#memory' },
      planning: null,
      capability: null,
      action: { use: `${REACT}#action` },
    }),
    [`${root}/package.json`]: JSON.stringify({
      name: '@acme/waits',
      version: '1.0.0',
      type: 'module',
      exports: { '.': { import: './index.js' } },
    }),
    [`${root}/index.js`]: [
      "const define = (spec) => Object.freeze(Object.defineProperty(spec, Symbol.for('harnesswright.module/1'), { value: true }))",
      "export const memory = define({ slot: 'memory', summary: 'Waits.', view: () => new Promise(() => {}) })",
    ].join('\n'),
    [`${root}/harnesswright.json`]: JSON.stringify({
      name: '@acme/waits',
      protocol: 1,
      authority: 'none',
      modules: { memory: { ...memory, options } },
    }),
  })
  const bin = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
  const tsx = createRequire(import.meta.url).resolve('tsx')
  const run = ['run', '--world', 'quotes', '--model', 'sim-mid', '--manifest', 'm.json', '--json']
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', tsx, '--conditions=@harnesswright/source', bin, ...run],
    { env: { PATH: process.env['PATH'], HARNESSWRIGHT_HOME: box.home }, cwd: box.root, encoding: 'utf8' },
  )

  expect([status, stderr]).toEqual([6, expect.stringContaining('error[E_RUN_MODULE] Nothing can go on')])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', reason: 'E_RUN_MODULE' })
})
