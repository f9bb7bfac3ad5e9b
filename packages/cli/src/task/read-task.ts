import { resolve } from 'node:path'
import type { Task } from '@harnesswright/core'
import { generateTask, type WorldTask } from '@harnesswright/plugin-worlds'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import { readTextFile } from '../read-text-file.js'
import { checkTask } from './check-task.js'

const MAX_INPUT_BYTES = 16 * 1024 * 1024

/** A task, with the world it comes from where it comes from one. */
export interface GivenTask {
  readonly task: Task
  readonly world?: WorldTask
  /** Name and size of the world, as `--world` takes them. */
  readonly spec?: string
}

/**
 * The task of a command line: the argument, a file, a world, or else standard input.
 *
 * @param rng - The random seed, of which a world makes its task.
 * @throws HarnessError `E_CLI_USAGE` when there is none, or several; `E_CLI_FILE`, `E_CLI_TASK` for a file;
 * `E_WORLDS_UNKNOWN`, `E_WORLDS_OPTION` for a world.
 */
export async function readTask(args: Arguments, io: Io, rng: number): Promise<GivenTask> {
  const { positionals, values } = args
  const [text, ...more] = positionals
  if (more.length > 0) throw severalWords(positionals)
  const file = values['task-file']
  const spec = values['world']
  const given = [text === undefined ? [] : 'the argument', file && '--task-file', spec && '--world']
    .flat()
    .filter(Boolean)
  if (given.length > 1) throw severalTasks(given as string[])
  if (spec !== undefined) {
    const world = generateTask(spec, { rng })
    return { task: world.task, world, spec }
  }
  if (file !== undefined) return { task: await readTaskFile(resolve(io.cwd, file)) }
  const instruction = text ?? (await readInput(io))
  if (instruction.trim() === '') throw noTask()
  return { task: { instruction } }
}

/** A file that begins with a brace holds a task as JSON; any other is the instruction. */
async function readTaskFile(file: string): Promise<Task> {
  const text = await readTextFile(file, { where: '--task-file' })
  if (!text.trimStart().startsWith('{')) {
    if (text.trim() === '') throw noTask()
    return { instruction: text.trim() }
  }
  return checkTask(parse(text, file), file)
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cliError('E_CLI_TASK', {
      message: `The task is not JSON: ${(cause as Error).message}.`,
      where: file,
      expected: 'one JSON object, or a text that does not begin with a brace',
      fix: 'Correct the JSON.',
      cause,
    })
  }
}

async function readInput({ stdin, isTTY }: Io): Promise<string> {
  if (isTTY.stdin) throw noTask()
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    sizeBytes += bytes.length
    if (sizeBytes > MAX_INPUT_BYTES) throw tooLong()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8').trim()
}

function noTask(): Error {
  return cliError('E_CLI_USAGE', {
    message: 'There is no task.',
    where: 'the command line',
    expected: 'a task as the argument, --task-file, --world, or on standard input',
    fix: 'Write the task after the command, in quotes, or try --world quotes.',
  })
}

function tooLong(): Error {
  return cliError('E_CLI_TASK', {
    message: `The task on standard input is longer than ${MAX_INPUT_BYTES} bytes.`,
    where: 'standard input',
    expected: 'a task in a few words',
    fix: 'Put data into files and name them with --workspace.',
  })
}

function severalTasks(given: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `There are several tasks: ${given.join(' and ')}.`,
    where: 'the command line',
    expected: 'one task',
    fix: 'Leave the others out.',
  })
}

function severalWords(words: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `The task has ${words.length} arguments.`,
    where: words.slice(0, 3).join(' '),
    expected: 'one argument',
    fix: 'Put the task in quotes.',
  })
}
