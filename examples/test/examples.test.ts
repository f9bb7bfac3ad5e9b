import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const source = new URL('../src/', import.meta.url)
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const examples = readdirSync(source).filter((file) => file.endsWith('.ts'))

test.each(examples)(
  '%s runs offline and asserts its result',
  (file) => {
    const args = ['--import', tsx, '--conditions=@harnesswright/source', new URL(file, source).pathname]
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    })

    expect(status, stderr).toBe(0)
  },
  60_000,
)

test('there are examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3)
})
