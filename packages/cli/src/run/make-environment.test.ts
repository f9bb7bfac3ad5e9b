import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Model, systemClock } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask } from '@harnesswright/plugin-worlds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_CONFIG } from '../config/config.js'
import { type EnvironmentParts, makeEnvironment } from './make-environment.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'harnesswright-env-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const PRICE = { input: 1, output: 2, source: 'a test', date: '2026-01-01' }

function modelWith(more: Partial<Model>): Model {
  return { ...createScriptedModel([]), price: PRICE, ...more }
}

function make(parts: Partial<EnvironmentParts>) {
  return makeEnvironment({
    model: modelWith({ simulated: true }),
    config: NO_CONFIG,
    limits: {},
    opened: openWorkspace(directory),
    secrets: [],
    isRealTime: false,
    ...parts,
  })
}

describe('limits', () => {
  test('a priced endpoint has 0.50 USD unless a limit is given, and a simulated one has no limit', () => {
    const priced = modelWith({ simulated: false })

    expect(make({ model: priced }).limits.usd).toBe(0.5)
    expect(make({ model: priced, limits: { usd: 3 } }).limits.usd).toBe(3)
    expect(make({}).limits.usd).toBe(Number.POSITIVE_INFINITY)
  })

  test('those of the command line win over the steps of the world, and these over the configuration', () => {
    const config = { ...NO_CONFIG, defaults: { limits: { steps: 7, tokens: 500 } } }
    const world = generateTask('quotes')

    expect(make({ config }).limits).toMatchObject({ steps: 7, tokens: 500 })
    expect(make({ config, world }).limits).toMatchObject({ steps: 25, tokens: 500 })
    expect(make({ config, world, limits: { steps: 90 } }).limits).toMatchObject({ steps: 90, tokens: 500 })
  })
})

test('time is simulated with a simulated model alone, and not when it is to take real time', () => {
  expect(make({}).clock.now()).toBe(0)
  expect(make({ isRealTime: true }).clock).toBe(systemClock)
  expect(make({ model: modelWith({ simulated: false }) }).clock).toBe(systemClock)
})

test('a world brings its own tools, and its latency to those of the workspace', () => {
  const world = generateTask('quotes')
  const { tools } = make({ world })

  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(world.tools.map(({ name }) => name)))
  expect(tools.find(({ name }) => name === 'read_file')?.latencyMs).toBe(world.toolLatencyMs)
})

test('nobody waits for the latency of a world where time is real, unless it is asked for', () => {
  const world = generateTask('quotes')
  const latencies = (parts: Partial<EnvironmentParts>) =>
    make({ world, model: modelWith({ simulated: false }), ...parts }).tools.map(({ latencyMs = 0 }) => latencyMs)

  expect(Math.max(...latencies({}))).toBe(0)
  expect(Math.max(...latencies({ isRealTime: true }))).toBe(world.toolLatencyMs)
})
