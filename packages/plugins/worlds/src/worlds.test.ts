import { isHarnessError, type Tool, type ToolContext } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { withLatency } from './latency.js'
import { findWorld, generateTask, worlds } from './worlds.js'

describe.each(worlds.map((world) => [world.name, world] as const))('the world %s', (name, world) => {
  test('is small by default, of rng 1, with four tools that no task needs', () => {
    const { task, tools } = world.generate()

    expect(task).toEqual(world.generate({ size: 'small', rng: 1, distractors: 4 }).task)
    expect(tools).toHaveLength(4)
    expect(task.id).toBe(`${name}-small-1`)
  })

  test('states its step limit, what a file costs in time, and files with texts inside the workspace', () => {
    const { task, stepLimit, toolLatencyMs } = world.generate({ size: 'large' })

    expect(stepLimit).toBe(world.stepLimit)
    if (name !== 'wide-search') expect(toolLatencyMs).toBe(60) // there searching and reading take longer
    for (const { path, text } of task.files ?? []) {
      expect(path).toMatch(/^[a-z0-9-]+(?:\/[a-z0-9-]+)?\.[a-z]+$/)
      expect(text).not.toBe('')
    }
  })

  test('tells the task everything a reader needs: each file is named, or the range or the folder that it lies in', () => {
    const { task } = world.generate({ rng: 5 })
    const paths = (task.files ?? []).map((file) => file.path)
    const isFolder = name === 'lookup-chain' || name === 'wide-search'

    for (const path of [paths[0], paths.at(-1)]) {
      expect(task.instruction).toContain(isFolder ? path?.replace(/[^/]*$/, '') : path)
    }
    expect(JSON.stringify(task.metadata ?? null)).toBe('null')
  })
})

test('step limits are 25 for quotes, 110 for long-log, 30 for lookup-chain and 60 for wide-search', () => {
  expect(worlds.map((world) => [world.name, world.stepLimit])).toEqual([
    ['quotes', 25],
    ['long-log', 110],
    ['lookup-chain', 30],
    ['wide-search', 60],
  ])
})

describe('the tools that no task needs', () => {
  test('are as many as asked for, all of different names', () => {
    for (const count of [0, 1, 12, 64]) {
      const { tools } = generateTask('quotes', { distractors: count })
      expect(new Set(tools.map((tool) => tool.name)).size).toBe(count)
    }
  })

  test('change nothing, take their time, and say truthfully that there is nothing', async () => {
    for (const tool of generateTask('quotes', { distractors: 64 }).tools) {
      const [parameter = ''] = tool.parameters['required'] as string[]
      expect(tool).toMatchObject({ readOnly: true, latencyMs: 60 })
      expect(await tool.execute({ [parameter]: 'order.txt' }, {} as ToolContext)).toMatch(/nothing for "order\.txt"/)
    }
  })
})

describe('a task by its name', () => {
  test('is that of the world, in the size that is named', () => {
    expect(generateTask('long-log').task).toEqual(findWorld('long-log').generate().task)
    expect(generateTask('quotes:large', { rng: 7, size: 'small' }).task).toEqual(
      findWorld('quotes').generate({ size: 'large', rng: 7 }).task,
    )
  })

  test.each([
    ['chess', 'E_WORLDS_UNKNOWN'],
    ['', 'E_WORLDS_UNKNOWN'],
    ['quotes:huge', 'E_WORLDS_OPTION'],
    ['quotes:', 'E_WORLDS_OPTION'],
  ])('%j is refused with %s', (spec, code) => {
    expect(codeOf(() => generateTask(spec))).toBe(code)
  })

  test.each([{ rng: 0.5 }, { rng: Number.NaN }, { distractors: -1 }, { distractors: 65 }, { distractors: 1.5 }])(
    'with %j is refused',
    (options) => {
      expect(codeOf(() => generateTask('quotes', options))).toBe('E_WORLDS_OPTION')
    },
  )
})

test('a tool with a latency is the same tool otherwise, and the first is not changed', () => {
  const tool: Tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' }, execute: () => 'text' }
  const slow = withLatency(tool, 60)

  expect(slow).toEqual({ ...tool, latencyMs: 60 })
  expect(tool.latencyMs).toBeUndefined()
})

test('latencies by name are those of the tools that they name, also none, and the usual one is that of all others', () => {
  const latencyOf = (name: string): number | undefined =>
    withLatency(
      { name, description: '', parameters: {}, execute: () => '' },
      { usual: 60, search_files: 4_000, list_files: 0 },
    ).latencyMs

  expect(['search_files', 'list_files', 'read_file', 'toString'].map(latencyOf)).toEqual([4_000, 0, 60, 60])
})

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return isHarnessError(error) ? error.code : String(error)
  }
  return undefined
}
