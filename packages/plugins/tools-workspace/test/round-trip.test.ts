import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJail } from '../src/jail/jail.js'
import { faultOfName } from '../src/jail/names.js'
import { type Hold, openPlace } from '../src/jail/place.js'
import { parseLimits } from '../src/limits.js'
import { openWorkspace } from '../src/workspaces/open-workspace.js'
import { makeTemporaryDirectory } from './temporary-directory.js'
import { callTool } from './tool-context.js'

const texts = fc.string({ unit: 'binary', maxLength: 300 })
const names = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^[A-Za-z0-9][\w -]{0,20}[a-z]$/),
  )
  .filter((name) => faultOfName(name) === undefined && name !== '.' && !name.includes('/'))
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))

const HOLDS: readonly Hold[] = process.platform === 'linux' ? ['descriptors', 'checks'] : ['checks']

describe.each(HOLDS)('a jail held by %s', (hold) => {
  test('gives back what was written, for any text and any safe path', () => {
    fc.assert(
      fc.property(paths, texts, (path, text) => {
        const jail = toJail(
          openPlace(makeTemporaryDirectory({ isBusy: true }), {
            limits: parseLimits(),
            protectProjectFiles: false,
            hold,
          }),
        )

        jail.write(path, text)

        expect(jail.readText(path)).toBe(text)
        expect(jail.list()).toEqual([{ path, sizeBytes: Buffer.byteLength(text) }])
      }),
      { numRuns: 150 },
    )
  })

  test('gives back any bytes', () => {
    const jail = toJail(
      openPlace(makeTemporaryDirectory({ isBusy: true }), { limits: parseLimits(), protectProjectFiles: false, hold }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        jail.write('data.bin', bytes)
        expect(Buffer.compare(jail.read('data.bin'), bytes)).toBe(0)
      }),
    )
  })
})

test('read_file gives back what write_file wrote', async () => {
  const { tools } = openWorkspace(makeTemporaryDirectory({ isBusy: true }))
  await fc.assert(
    fc.asyncProperty(texts, async (content) => {
      await callTool(tools, 'write_file', { path: 'a/text.txt', content })
      expect(await callTool(tools, 'read_file', { path: 'a/text.txt' })).toBe(content)
    }),
  )
})

test('reading a file in pieces gives all of its lines', async () => {
  const { tools } = openWorkspace(makeTemporaryDirectory({ isBusy: true }))
  const lines = fc.array(fc.stringMatching(/^[a-z ]{0,20}$/), { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (written, limit) => {
      await callTool(tools, 'write_file', { path: 'lines.txt', content: written.map((line) => `${line}\n`).join('') })

      let all = ''
      for (let offset = 1; offset <= written.length; offset += limit) {
        const piece = String(await callTool(tools, 'read_file', { path: 'lines.txt', offset, limit }))
        all += piece.replace(/\[lines .*\]$/, '')
      }

      expect(all).toBe(written.map((line) => `${line}\n`).join(''))
    }),
  )
})
