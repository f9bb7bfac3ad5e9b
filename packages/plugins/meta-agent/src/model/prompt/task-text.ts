import type { Environment, ModelInfo, Task, Tool } from '@harnesswright/core'
import type { HarnessReference } from '../../compose/reference.js'
import { describeFeatures } from '../../features/describe-features.js'
import type { TaskFeatures } from '../../features/task-features.js'
import { shorten } from './catalog-text.js'
import { referencesText } from './references-text.js'

/** Longest parts of the description of a task, in characters. */
const MOST = { instruction: 8_000, inputs: 1_000, schema: 1_000, files: 2_000, tools: 4_000 } as const
const MAX_FILES = 40

/** What the description of a task is made of, beside the task. */
export interface TaskTextOptions {
  readonly env: Environment
  readonly features: TaskFeatures
  readonly references: readonly HarnessReference[]
  /** Short names of modules. */
  readonly short: (use: string) => string
}

/** What differs from task to task, and stands last: executor, limits, tools, references, and the task itself at the very end. */
export function taskText(task: Task, { env, features, references, short }: TaskTextOptions): string {
  const known = referencesText(references, short)
  return [
    `# Executor\n\n${executorText(env.model())}`,
    `# Limits\n\n${limitsText(env)}`,
    `# Tools on offer\n\n${shorten(env.tools.map(toolLine).join('\n') || 'none', MOST.tools)}`,
    `# What can be told of the task\n\n${describeFeatures(features)}`,
    ...(known === '' ? [] : [`# Harnesses for tasks like this one, and what they came to\n\n${known}`]),
    `# Task\n\n${ofTask(task).join('\n\n')}`,
  ].join('\n\n')
}

function executorText({ id, contextWindow, supports }: ModelInfo): string {
  const window = contextWindow === undefined ? 'window unknown' : `window of ${contextWindow} tokens`
  const calls = supports.tools === true ? 'native tool calls' : 'tool calls as text'
  return `${shorten(id, 100)}, ${window}, ${calls}${supports.parallelToolCalls === true ? ', several in one reply' : ''}`
}

function limitsText({ limits: { steps, tokens, usd, ms } }: Environment): string {
  const shown = [
    `${steps} steps`,
    `${tokens} tokens`,
    Number.isFinite(usd) ? `${usd} USD` : '',
    `${Math.round(ms / 1000)} s`,
  ]
  return shown.filter((one) => one !== '').join(', ')
}

function toolLine({ name, description }: Tool): string {
  return `- ${shorten(name, 80)}: ${shorten(description.replace(/\s+/g, ' '), 160)}`
}

function ofTask({ instruction, inputs, files = [], output, messages = [] }: Task): readonly string[] {
  const listed = files.slice(0, MAX_FILES).map(({ path, bytes, text }) => {
    const size = bytes ?? (text === undefined ? undefined : text.length)
    return `- ${shorten(path, 120)}${size === undefined ? '' : `, ${size} bytes`}`
  })
  const more = files.length > MAX_FILES ? [`- and ${files.length - MAX_FILES} more`] : []
  return [
    ...(files.length === 0 ? [] : [`Files:\n${shorten([...listed, ...more].join('\n'), MOST.files)}`]),
    ...(inputs === undefined ? [] : [`Inputs: ${shorten(JSON.stringify(inputs), MOST.inputs)}`]),
    ...(output === undefined ? [] : [`The answer is JSON of: ${shorten(JSON.stringify(output), MOST.schema)}`]),
    ...(messages.length === 0 ? [] : [`It is turn ${Math.ceil(messages.length / 2) + 1} of a conversation.`]),
    middleOut(instruction, MOST.instruction),
  ]
}

/** Three quarters from the beginning and a quarter from the end: both say what is asked for. */
function middleOut(text: string, most: number): string {
  if (text.length <= most) return text
  const head = shorten(text, Math.floor(most * 0.75))
  const tail = text.slice(text.length - Math.floor(most * 0.25)) as string & { toWellFormed(): string }
  return `${head}\n[${text.length - most} characters left out]\n${tail.toWellFormed()}`
}
