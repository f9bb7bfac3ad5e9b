import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateTask } from '@harnesswright/plugin-worlds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

const SLOW_MS = 120_000 // every module of the command line is loaded here

const unknown = { id: 'sum', instruction: 'What is 2+2?', expected: '4' }
const known = { id: 'known', instruction: generateTask('quotes', { rng: 9 }).task.instruction, expected: '4' }

function writeTasks(name: string, ...tasks: readonly object[]): void {
  writeFileSync(join(box.root, name), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''))
}

const places = ['--out', 'out', '--bank', 'bank', '--model', 'sim-mid'] as const

describe('a task of a file', () => {
  test.each([
    ['stream', ['stream', 'mixed.jsonl', '--harness', 'react', '--orders', '1']],
    ['evolve', ['evolve', '--train-tasks', 'mixed.jsonl', '--test-tasks', 'test.jsonl', '--harness', 'react']],
    ['bank race', ['bank', 'race', 'react', 'mixed.jsonl', '--pairs', '1']],
  ])(
    'that a simulated model cannot read is refused by %s before a run, and nothing is remembered of it',
    async (_name, words) => {
      writeTasks('mixed.jsonl', known, unknown)
      writeTasks('test.jsonl', { world: 'quotes', rng: 1 })
      const { code, stdout, stderr } = await box.run([...words, ...places])
      const linesOf = (...path: readonly string[]): string => {
        const file = join(box.root, ...path)
        return existsSync(file) ? readFileSync(file, 'utf8') : ''
      }

      expect([code, stdout]).toEqual([3, ''])
      expect(stderr).toContain('error[E_CLI_TASK] A simulated model knows only the tasks of worlds')
      expect(stderr).toContain('where: task "sum"')
      expect(linesOf('out', 'runs.jsonl')).toBe('')
      expect(linesOf('bank', 'log.jsonl')).not.toContain('"kind":"evaluation"')
    },
    SLOW_MS,
  )

  test(
    'with the text of a world is done on a simulated model',
    async () => {
      writeTasks('known.jsonl', known)
      const { code, stdout } = await box.run([
        'stream',
        'known.jsonl',
        '--harness',
        'react',
        '--orders',
        '1',
        ...places,
      ])

      expect([code, stdout]).toEqual([0, expect.stringContaining('Means of a task; 1 order of 1 task.')])
    },
    SLOW_MS,
  )
})
