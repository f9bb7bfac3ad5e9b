import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as here from '../src/index.js'
import { aHarness, runOnce } from './one-run.js'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder = ''
let other: typeof here

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'harnesswright-copy-'))
  // Both packages, each with its dependencies; the copy of core finds the copy of the protocol.
  for (const name of ['core', 'protocol']) {
    const own = join(root, '..', name)
    for (const part of ['src', 'package.json']) cpSync(join(own, part), join(folder, name, part), { recursive: true })
    mkdirSync(join(folder, name, 'node_modules/@harnesswright'), { recursive: true })
    const dependencies = readdirSync(join(own, 'node_modules')).filter((one) => !/^[.@]/.test(one))
    for (const one of dependencies) symlinkSync(join(own, 'node_modules', one), join(folder, name, 'node_modules', one))
  }
  symlinkSync(join(folder, 'protocol'), join(folder, 'core/node_modules/@harnesswright/protocol'))
  other = (await import(/* @vite-ignore */ join(folder, 'core/src/index.ts'))) as typeof here
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a second copy of core in the process', () => {
  test('has classes of its own', () => {
    expect(other.HarnessError).not.toBe(here.HarnessError)
    expect(new other.HarnessError('E_RUN_LIMIT')).not.toBeInstanceOf(here.HarnessError)
  })

  test('makes errors and modules that this copy recognises, and the other way round', () => {
    const spec = { slot: 'plugin', summary: 'x' } as const

    expect(here.isHarnessError(new other.HarnessError('E_RUN_LIMIT'))).toBe(true)
    expect(other.isHarnessError(new here.HarnessError('E_RUN_LIMIT'))).toBe(true)
    expect(here.isModule(other.defineModule(spec))).toBe(true)
    expect(other.isModule(here.defineModule(spec))).toBe(true)
    expect(here.isModule({ ...other.defineModule(spec) })).toBe(false)
  })

  test('makes modules that run in a harness of this one, with its errors kept as they are', async () => {
    const planning = other.defineModule({
      slot: 'planning',
      summary: 'Of another copy.',
      prompts: { plan: 'Plan {{what}}.' },
      state: () => ({ steps: 0 }),
      direct(ctx) {
        ctx.state.steps += 1
        return { text: ctx.prompt('plan', { what: 'x' }) }
      },
    })
    expect((await runOnce({ modules: { planning } })).result.steps[0]?.directive.text).toBe('Plan x.')

    const failing = other.defineModule({
      slot: 'planning',
      summary: 'Fails.',
      direct: () => {
        throw new other.HarnessError('E_OTHER_FAULT', { message: 'my own words', hint: 'h' })
      },
    })
    expect((await runOnce({ modules: { planning: failing } })).result.error).toEqual({
      code: 'E_OTHER_FAULT',
      message: 'my own words',
      slot: 'planning',
      module: '@test/modules#m0',
      step: 1,
    })
  })

  test('raises limits that end a run of this one as a limit, and errors in apply that keep their code', async () => {
    const greedy = other.defineModule({
      slot: 'planning',
      summary: 'Has enough.',
      direct: () => {
        throw new other.HarnessError('E_RUN_LIMIT', { details: { limit: 'patience' } })
      },
    })
    expect((await runOnce({ modules: { planning: greedy } })).result).toMatchObject({
      status: 'limit',
      reason: 'patience',
    })

    const refusing = other.defineModule({
      slot: 'plugin',
      summary: 'Refuses.',
      apply: () => {
        throw new other.HarnessError('E_OTHER_NO', { message: 'no', hint: 'h' })
      },
    })
    await expect(aHarness({ modules: { plugins: [refusing] } })).rejects.toMatchObject({
      code: 'E_OTHER_NO',
      slot: 'plugin',
    })
  })
})
