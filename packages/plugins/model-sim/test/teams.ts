import type { Message, Tool } from '@harnesswright/core'
import { askFor, BenchLoop, type BenchOptions, type BenchResult, checkWork, type Work, workOn } from './bench.js'

// Ways to do a task with several runs, as small as they can be. What one run answers is shown to others word for word.

/** What a team came to. */
export type TeamResult = Omit<BenchResult, 'overflowed' | 'transcript'>

/** Several runs of the whole task, each with its own luck; a judge merges their answers, or takes one as it is. */
export async function runJudged(
  options: BenchOptions,
  count: number,
  take: 'merged' | 'chosen' = 'merged',
): Promise<TeamResult> {
  const work = workOn(options)
  const lines: string[] = []
  const rollouts: Work[] = []
  const answers: string[] = []
  for (let index = 1; index <= count; index++) {
    const files = new Map(work.files)
    const rollout = { ...work, files, seed: work.seed * 100 + index, session: `${work.session}/${index}` }
    const { answer = '' } = await new BenchLoop(rollout).run()
    rollouts.push(rollout)
    answers.push(answer)
    lines.push(`Candidate ${index}: ${answer}`)
  }
  const { content } = await askFor(work, {
    purpose: 'judge',
    messages: [...headOf(work), { role: 'user', content: lines.join('\n') }],
    schema: VERDICT,
  })
  const { selected, answer } = JSON.parse(content) as { selected: number; answer: string }
  return checkWork(
    { ...work, files: rollouts[selected - 1]?.files ?? work.files },
    take === 'merged' ? answer : answers[selected - 1],
  )
}

/** Asks whether the work is atomic; if not it is planned, done part by part, and put together. */
export async function runDecomposed(options: BenchOptions): Promise<TeamResult> {
  const work = workOn(options)
  return checkWork(work, await decompose(work, 1))
}

const MOST_DEPTH = 3

async function decompose(work: Work, depth: number): Promise<string> {
  const head = headOf(work)
  const asked =
    depth > MOST_DEPTH ? '' : (await askFor(work, { purpose: 'atomise', messages: head, schema: ATOMIC })).content
  if (asked === '' || (JSON.parse(asked) as { is_atomic: boolean }).is_atomic) {
    return (await new BenchLoop(work).run()).answer ?? ''
  }
  const { content } = await askFor(work, { purpose: 'plan', messages: head, schema: SUBTASKS })
  const { subtasks, dependencies } = JSON.parse(content) as {
    subtasks: { goal: string; index: number }[]
    dependencies: Record<string, string[]>
  }
  const results = new Map<string, string>()
  for (const { goal, index } of subtasks) {
    const before = (dependencies[String(index)] ?? []).map((id) => results.get(id) ?? '')
    results.set(String(index), await decompose(partOf(work, index, goal, before), depth + 1))
  }
  const told = [...results].map(([id, result]) => `Result of ${id}: ${result}`).join('\n')
  const messages: readonly Message[] = [...head, { role: 'user', content: told }]
  return (
    JSON.parse((await askFor(work, { purpose: 'aggregate', messages, schema: ANSWER })).content) as { answer: string }
  ).answer
}

/** An orchestrator that touches nothing: it gives pieces of the work to runs that it tells what to do. */
export async function runDelegated(options: BenchOptions, isParallel: boolean): Promise<TeamResult> {
  const work = workOn(options)
  const history: Message[] = []
  for (let turn = 1; turn <= work.task.stepLimit; turn++) {
    const reply = await askFor(work, {
      purpose: 'act',
      messages: [...headOf(work), ...history],
      tools: [DELEGATE],
      parallelToolCalls: isParallel,
    })
    const calls = reply.toolCalls ?? []
    if (calls.length === 0) return checkWork(work, reply.content)
    history.push({ role: 'assistant', content: reply.content, toolCalls: calls })
    for (const [index, call] of calls.entries()) {
      history.push({ role: 'tool', callId: call.id, content: await delegate(work, turn * 10 + index, call) })
    }
  }
  return checkWork(work, undefined)
}

async function delegate(
  work: Work,
  index: number,
  call: { readonly name: string; readonly arguments: string },
): Promise<string> {
  try {
    const { instruction, context = '' } = JSON.parse(call.arguments) as { instruction: string; context?: string }
    if (call.name !== DELEGATE.name || typeof instruction !== 'string') return 'error: there is no such tool'
    return (await new BenchLoop(partOf(work, index, instruction, [context])).run()).answer ?? 'error: no answer'
  } catch {
    return 'error: the arguments are no JSON object'
  }
}

function partOf(work: Work, index: number, goal: string, context: readonly string[]): Work {
  const told = context.filter((text) => text !== '')
  const instruction = told.length === 0 ? goal : `${goal}\n\n<context>\n${told.join('\n\n')}\n</context>`
  return { ...work, instruction, seed: work.seed * 100 + index, session: `${work.session}/${index}` }
}

function headOf({ instruction }: Work): readonly Message[] {
  return [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: instruction },
  ]
}

const TEXT = { type: 'string' } as const

const VERDICT = {
  type: 'object',
  properties: { selected: { type: 'integer' }, answer: TEXT },
  required: ['selected', 'answer'],
} as const

const ATOMIC = { type: 'object', properties: { is_atomic: { type: 'boolean' } }, required: ['is_atomic'] } as const

const SUBTASKS = {
  type: 'object',
  properties: {
    subtasks: {
      type: 'array',
      maxItems: 4,
      items: { type: 'object', properties: { goal: TEXT, index: { type: 'integer' } }, required: ['goal', 'index'] },
    },
    dependencies: { type: 'object', additionalProperties: { type: 'array', items: TEXT } },
  },
  required: ['subtasks', 'dependencies'],
} as const

const ANSWER = { type: 'object', properties: { answer: TEXT }, required: ['answer'] } as const

const DELEGATE: Tool = {
  name: 'delegate',
  description: 'Gives a piece of the work to an agent of its own.',
  parameters: {
    type: 'object',
    properties: { instruction: TEXT, context: TEXT, tools: { type: 'array', items: TEXT }, model: TEXT },
    required: ['instruction'],
  },
  execute: () => '',
}
