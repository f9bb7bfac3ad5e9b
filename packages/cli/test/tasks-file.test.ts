import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@harnesswright/core'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { checkAnswer } from '../src/stream/check-answer.js'
import { matchesWithin } from '../src/stream/match-within.js'
import { readTasksFile } from '../src/stream/tasks-file.js'

const folder = mkdtempSync(join(tmpdir(), 'harnesswright-tasks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function readLines(...lines: readonly string[]) {
  writeFileSync(join(folder, 'tasks.jsonl'), `${lines.join('\n')}\n`)
  return await readTasksFile('tasks.jsonl', folder)
}

describe('a file of tasks', () => {
  test('has a task in each line: of a world, or with what is expected', async () => {
    const tasks = await readLines(
      '{"world":"quotes","rng":3}',
      '',
      '{"id":"sum","instruction":"Add 2 and 2.","expected":4,"check":"numeric"}',
      '{"instruction":"Say hello.","expected":"hello","files":[{"path":"a.txt","text":"a"}]}',
    )

    expect(tasks).toEqual([
      { id: 'quotes:small#3', unit: 'rng 3', world: 'quotes:small', rng: 3 },
      {
        id: 'sum',
        unit: 'sum',
        task: { id: 'sum', instruction: 'Add 2 and 2.' },
        check: { kind: 'numeric', expected: 4 },
      },
      {
        id: expect.stringMatching(/^task-[0-9a-f]{16}$/) as unknown,
        unit: tasks[2]?.id,
        task: { instruction: 'Say hello.', files: [{ path: 'a.txt', text: 'a' }] },
        check: { kind: 'exact', expected: 'hello' },
      },
    ])
  })

  test('that says the same is the same task in every file, and one with other files is another', async () => {
    const line = '{"instruction":"Add the prices.","expected":4,"files":[{"path":"list.csv","text":"1"}]}'
    const [first, other] = await readLines(line, line.replace('"text":"1"', '"text":"2"'))
    const [, again] = await readLines('{"world":"quotes","rng":1}', line)

    expect(again?.id).toBe(first?.id)
    expect(other?.id).not.toBe(first?.id)
  })

  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a check that runs commands', '{"instruction":"x","expected":"x","check":"command"}'],
    ['nothing that is expected', '{"instruction":"x"}'],
    ['a number that is none', '{"instruction":"x","expected":"four","check":"numeric"}'],
    ['a pattern that is none', '{"instruction":"x","expected":"(","check":"regex"}'],
    ['an instruction that is empty', '{"instruction":" ","expected":"x"}'],
    ['a world without a random seed', '{"world":"quotes"}'],
    ['a world with a field of another task', '{"world":"quotes","rng":1,"expected":"x"}'],
    ['all worlds at once', '{"world":"all","rng":1}'],
  ])('with %s is refused with the line', async (_what, line) => {
    const refused = readLines('{"world":"quotes","rng":1}', line)

    await expect(refused).rejects.toMatchObject({ code: 'E_CLI_TASK' })
    await expect(refused).rejects.toMatchObject({ details: { where: expect.stringContaining('line 2') } })
  })

  test('with one id twice is refused with both lines', async () => {
    const line = '{"id":"a","instruction":"x","expected":"x"}'

    await expect(readLines(line, line)).rejects.toMatchObject({
      code: 'E_CLI_TASK',
      message: expect.stringContaining('line 1'),
    })
  })

  test('without a task is refused', async () => {
    await expect(readLines('')).rejects.toMatchObject({ code: 'E_CLI_TASK' })
  })
})

describe('a check', () => {
  const cases: readonly [
    kind: 'exact' | 'numeric' | 'regex' | 'json',
    expected: Json,
    answer: Json | null,
    is: boolean,
  ][] = [
    ['exact', 'Paris', ' Paris\n', true],
    ['exact', 'Paris', 'paris', false],
    ['exact', { a: [1] }, { a: [1] }, true],
    ['exact', 7, '7', true],
    ['numeric', 1234.5, 'It is 99, no: 1,234.50.', true],
    ['numeric', 3, 'three', false],
    ['numeric', '-2', '-2.0000001', true],
    ['regex', '^\\d{3}$', '123', true],
    ['regex', '^\\d{3}$', '1234', false],
    ['json', { a: 1, b: [2] }, 'Here: {"b":[2],"a":1}.', true],
    ['json', { a: 1 }, '{"a":1,"b":2}', false],
    ['json', [1, 2], '[1,2]', true],
    ['json', { a: 1 }, null, false],
  ]

  test.each(cases)('%s of %j finds %j: %j', async (kind, expected, answer, is) => {
    expect(await checkAnswer(answer, { kind, expected })).toBe(is)
  })

  test('finds what was written as JSON, whatever it is and wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const expected = JSON.parse(JSON.stringify(value)) as Json

        expect(await checkAnswer(`So: ${JSON.stringify(value)}`, { kind: 'json', expected })).toBe(true)
        expect(await checkAnswer(value as Json, { kind: 'json', expected })).toBe(true)
      }),
    )
  })

  test('by a pattern that would take for ever is ended, and counts as not found', async () => {
    expect(await matchesWithin('^(a+)+$', `${'a'.repeat(40)}b`, 100)).toBe(false)
    expect(await matchesWithin('a', 'cat')).toBe(true)
  })
})
