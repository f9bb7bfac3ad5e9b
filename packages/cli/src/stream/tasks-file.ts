import { resolve } from 'node:path'
import type { Json } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { contentId } from '../bank/task-id.js'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { cliError } from '../errors/cli-error.js'
import { readTextFile } from '../read-text-file.js'
import { checkTask } from '../task/check-task.js'
import { type AnswerCheck, type CliTask, worldTask } from './tasks.js'

const CHECKS = ['exact', 'numeric', 'regex', 'json'] as const
const MOST_TASKS = 100_000

/**
 * Reads tasks, one JSON object a line: `{"instruction": …, "expected": …, "check": "exact"}`, or `{"world": "quotes", "rng": 3}`. It
 * is data: nothing in it is executed, and a pattern is only tried in a worker that can be ended.
 *
 * @throws HarnessError `E_CLI_FILE` for a file that cannot be read, `E_CLI_TASK` with the line for what is no task,
 * `E_WORLDS_UNKNOWN` for a world.
 */
export async function readTasksFile(name: string, cwd: string): Promise<readonly CliTask[]> {
  const text = await readTextFile(resolve(cwd, name), { where: name })
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]))
  if (lines.length === 0 || lines.length > MOST_TASKS) {
    throw wrongTask(name, `It has ${lines.length} tasks`, `from 1 to ${MOST_TASKS} tasks, one JSON object a line`)
  }
  const tasks = lines.map(({ line, number }) => readLine(line, `${name}, line ${number}`))
  const ids = new Map<string, number>()
  for (const [index, { id }] of tasks.entries()) {
    const number = lines[index]?.number as number // there is a line for each task
    const before = ids.get(id)
    if (before !== undefined) {
      throw wrongTask(
        `${name}, line ${number}`,
        `Its id is that of line ${before}: ${JSON.stringify(id)}`,
        'an "id" that no other has',
      )
    }
    ids.set(id, number)
  }
  return tasks
}

function readLine(line: string, where: string): CliTask {
  const value = parseLine(line, where)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongTask(where, 'It is no object', 'one JSON object')
  }
  const fields = value as Readonly<Record<string, unknown>>
  return 'world' in fields ? readWorldTask(fields, where) : readFileTask(fields, where)
}

function parseLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw wrongTask(where, `It is not JSON (${messageOf(error)})`, 'one JSON object', error)
  }
}

function readWorldTask({ world, rng, ...others }: Readonly<Record<string, unknown>>, where: string): CliTask {
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw wrongTask(where, `A task of a world has no field ${JSON.stringify(other)}`, '"world" and "rng"')
  if (typeof world !== 'string' || !Number.isSafeInteger(rng)) {
    throw wrongTask(where, '"world" is no text, or "rng" is no integer', 'such as {"world":"quotes:large","rng":3}')
  }
  const [spec, ...more] = benchedWorlds(world)
  if (spec === undefined || more.length > 0) throw wrongTask(where, 'It names several worlds', 'one world')
  return worldTask(spec, rng as number)
}

function readFileTask(fields: Readonly<Record<string, unknown>>, where: string): CliTask {
  const { expected, check = 'exact', ...task } = fields
  const kind = CHECKS.find((name) => name === check)
  if (kind === undefined) {
    throw wrongTask(where, `"check" is ${JSON.stringify(check)?.slice(0, 60)}`, `one of ${CHECKS.join(', ')}`)
  }
  if (expected === undefined) throw wrongTask(where, 'It has no "expected"', 'what the answer must be')
  const answerCheck: AnswerCheck = { kind, expected: expected as Json } // it was read from JSON
  checkExpected(answerCheck, where)
  const given = checkTask(task, where)
  const id = given.id ?? contentId(given)
  return { id, unit: id, task: given, check: answerCheck }
}

function checkExpected({ kind, expected }: AnswerCheck, where: string): void {
  if (kind === 'numeric' && !Number.isFinite(typeof expected === 'string' ? Number(expected) : expected)) {
    throw wrongTask(where, '"expected" is no number', 'a number for the check numeric')
  }
  if (kind !== 'regex') return
  if (typeof expected !== 'string') throw wrongTask(where, '"expected" is no text', 'a pattern for the check regex')
  try {
    new RegExp(expected, 'u')
  } catch (error) {
    throw wrongTask(
      where,
      `"expected" is no pattern (${messageOf(error)})`,
      'a regular expression of JavaScript',
      error,
    )
  }
}

function wrongTask(where: string, found: string, expected: string, cause?: unknown): Error {
  return cliError('E_CLI_TASK', {
    message: `${found}.`,
    where,
    expected,
    fix: `Give ${expected}.`,
    ...(cause === undefined ? {} : { cause }),
  })
}
