import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBank } from '../src/index.js'
import { aHarness, anEvaluation, CELL } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
const SLOW_MS = 180_000 // a server of its own, on a machine that may be busy

/** Why no server of PostgreSQL can be started here, or undefined. */
function whyNot(): string | undefined {
  if (process.platform === 'win32') return 'not tested on Windows'
  const missing = ['initdb', 'postgres'].filter((name) => !isOnPath(name))
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not found on the PATH`
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** PostgreSQL refuses to run as root: then it runs as another user. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A server in a directory of its own, for as long as the work takes. */
async function withServer(work: (url: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'hw-pg-'))
  const data = join(root, 'data')
  mkdirSync(data)
  chmodSync(root, 0o755)
  if (USER.uid !== undefined) chownSync(data, USER.uid, USER.gid)
  const options = { ...USER, cwd: data, env: { PATH: process.env['PATH'], LC_ALL: 'C' } }
  execFileSync('initdb', ['-D', data, '-U', 'bank', '--auth=trust', '--no-sync'], { ...options, stdio: 'ignore' })
  const port = await freePort()
  const flags = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', data, '-c', 'fsync=off']
  const server = spawn('postgres', flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    let said = ''
    for await (const chunk of server.stderr) {
      said += String(chunk)
      if (said.includes('ready to accept connections')) break
    }
    await work(`postgres://bank@127.0.0.1:${port}/postgres`)
  } finally {
    if (server.exitCode === null) {
      server.kill('SIGINT')
      await once(server, 'exit')
    }
    rmSync(root, { recursive: true, force: true })
  }
}

const reason = whyNot()

describe.skipIf(reason !== undefined)(`a server of PostgreSQL${reason === undefined ? '' : ` (${reason})`}`, () => {
  test('is the index of a bank, for two that have it open at once', { timeout: SLOW_MS }, async () => {
    await withServer(async (url) => {
      const options = { directory: directoryOf('bank'), index: url as `postgres://${string}` }
      const [bank, other] = [await openBank(options), await openBank(options)]
      expect(bank.indexKind).toBe('postgres')
      await bank.addHarnesses([aHarness('plain', { operator: 'seed' })])
      await bank.openCell(CELL, { championId: 'sha256:plain' })
      const many = (one: typeof bank, name: string) =>
        Array.from(
          { length: 20 },
          async (_, index) => await one.addEvaluations([anEvaluation(`${name}${index}`, 'plain')]),
        )
      await Promise.all([...many(bank, 'a'), ...many(other, 'b')])
      expect(await other.stats()).toMatchObject([{ n: 40, rewardSum: 40 }])
      const before = [await bank.stats(), await bank.holders(), await bank.harnesses()]
      await bank.rebuild()
      expect([await bank.stats(), await bank.holders(), await bank.harnesses()]).toEqual(before)
      const query = { taskId: 't9', text: 'reads', features: {}, backbone: CELL.backbone }
      expect((await other.retrieve(query)).map(({ name }) => name)).toEqual(['plain'])
      await Promise.all([bank.close(), other.close()])
    })
  })
})

test('an address at which nobody answers is an error that does not show a password', { timeout: SLOW_MS }, async () => {
  const port = await freePort()
  const index = `postgres://me:secret@127.0.0.1:${port}/bank` as const
  const failure = await openBank({ directory: directoryOf('nobody'), index }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'E_BANK_INDEX', details: { where: `postgres://127.0.0.1:${port}` } })
  expect(JSON.stringify(failure) + String(failure)).not.toContain('secret')
})
