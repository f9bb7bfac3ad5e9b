import { nearestNames, type Task } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList: Check = (value) => Array.isArray(value)
const isAny: Check = () => true

/** Fields of a task in a file, with what each must be. */
const FIELDS: Readonly<Record<string, readonly [expected: string, check: Check]>> = {
  id: ['a text', isText],
  instruction: ['a text that is not empty', isText],
  inputs: ['a JSON value', isAny],
  context: ['a list of artifact ids', (value) => isList(value) && (value as unknown[]).every(isText)],
  files: ['a list of files, each with path and text', (value) => isList(value) && (value as unknown[]).every(isFile)],
  messages: ['a list of messages', (value) => isList(value) && (value as unknown[]).every(isObject)],
  output: ['a JSON Schema', isObject],
  metadata: ['a JSON value', isAny],
}

function isFile(value: unknown): boolean {
  if (!isObject(value)) return false
  const { path, text, bytes, ...others } = value as Readonly<Record<string, unknown>>
  const isTextOrNone = text === undefined || typeof text === 'string'
  return (
    isText(path) &&
    isTextOrNone &&
    (bytes === undefined || Number.isSafeInteger(bytes)) &&
    Object.keys(others).length === 0
  )
}

/**
 * Checks a task that was read from a file.
 *
 * @throws HarnessError `E_CLI_TASK` at the first field that is not as it must be.
 */
export function checkTask(value: unknown, file: string): Task {
  if (!isObject(value)) throw wrong(file, '', 'the file holds no JSON object', 'an object with "instruction"')
  const task = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(task)) {
    if (Object.hasOwn(FIELDS, name)) continue
    const [nearest] = nearestNames(name, Object.keys(FIELDS))
    throw wrong(file, '', `it has an unknown field ${JSON.stringify(name)}`, `fields of a task; nearest: ${nearest}`)
  }
  for (const [name, [expected, check]] of Object.entries(FIELDS)) {
    if (task[name] === undefined && name !== 'instruction') continue
    if (!check(task[name])) throw wrong(file, `/${name}`, `"${name}" is not ${expected}`, expected)
  }
  return task as unknown as Task // every field was checked
}

function wrong(file: string, pointer: string, what: string, expected: string): Error {
  return cliError('E_CLI_TASK', {
    message: `The task cannot be used: ${what}.`,
    where: `${file}#${pointer}`,
    expected,
    fix: 'Correct the file, or give the task as text.',
  })
}
