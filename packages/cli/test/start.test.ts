import { ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { Server, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Sandbox } from './fake-io.js'
import { writeFiles } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

const BIN = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
const TSX = createRequire(import.meta.url).resolve('tsx')
const FLAGS = ['--import', TSX, '--conditions=@harnesswright/source', BIN]

describe('start', () => {
  test('runs two tasks with two different composed harnesses, and both pass their checks', async () => {
    const { code, stdout, stderr } = await box.run(['start'])

    const ids = [...stderr.matchAll(/^composed: \S+, manifest ([0-9a-f]{12})$/gm)].map((match) => match[1])
    expect(code).toBe(0)
    expect(stderr.match(/^check: passed$/gm)).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
    expect(stderr).toMatch(/^Two tasks, two different manifests: /m)
    expect(stderr).toMatch(/^step 2 {2}/m)
    expect(stderr).toMatch(/^ {2}OPENAI_API_KEY=… OPENAI_MODEL=… npm run harnesswright -- run/m)
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  test('reads no key, no model and no configuration', async () => {
    const read: string[] = []
    const watched = (name: string): PropertyDescriptor => ({
      enumerable: true,
      get: () => {
        read.push(name)
        return 'sk-of-the-user-1'
      },
    })
    const names = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'HARNESSWRIGHT_MODEL']
    const env = Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, watched(name)])))
    writeFiles(box.root, { 'harnesswright.config.json': 'no JSON' })

    expect((await box.run(['start'], { env })).code).toBe(0)
    expect(read).toEqual([])
  })

  test('opens no socket and no process, as run and validate do not', async () => {
    const spies = [
      vi.spyOn(Socket.prototype, 'connect'),
      vi.spyOn(Server.prototype, 'listen'),
      vi.spyOn(ChildProcess.prototype as unknown as { spawn(): void }, 'spawn'), // not in the types, and every process goes through it
      vi.spyOn(globalThis, 'fetch'),
    ]
    try {
      await box.run(['start'])
      await box.run(['run', '--world', 'quotes', '--seed', 'plan-and-execute'])
      await box.run(['compose', '--world', 'quotes'])
      await box.run(['validate', 'none.json'])

      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })
})

describe('the program', { timeout: 30_000 }, () => {
  const env = () => ({ PATH: process.env['PATH'], HARNESSWRIGHT_HOME: box.home })

  test('runs from its source and ends with the code of the command', () => {
    const good = spawnSync(process.execPath, [...FLAGS, 'run', '--world', 'quotes', '--rng', '7'], {
      env: env(),
      cwd: box.root,
      encoding: 'utf8',
    })

    expect(good).toMatchObject({ status: 0, stdout: expect.stringMatching(/^The sum of the quote is .+\n$/) })
    expect(good.stderr).toContain('check: passed')
  })

  test('ends as ever when nobody reads its output', async () => {
    const child = spawn(process.execPath, [...FLAGS, 'catalog'], { env: env(), cwd: box.root })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })

    const code = await new Promise((resolve) => child.on('exit', resolve))

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('ends with 130 when it is interrupted', async () => {
    const argv = ['run', '--world', 'quotes', '--rng', '7', '--real-time']
    const child = spawn(process.execPath, [...FLAGS, ...argv], { env: env(), cwd: box.root })
    // The first words of standard error come before the run: 'harness:' only once it can be interrupted.
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      const before = stderr
      stderr += chunk.toString()
      if (!before.includes('harness:') && stderr.includes('harness:')) child.kill('SIGINT')
    })

    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(130)
  })
})
