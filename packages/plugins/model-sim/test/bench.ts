import {
  isHarnessError,
  type Message,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Tool,
} from '@harnesswright/core'
import { type CheckResult, generateTask, type WorldTask, withLatency } from './worlds.js'

/** What a run cost. */
interface Spent {
  calls: number
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  usd: number
  ms: number
}

/** What a run came to. */
export interface BenchResult extends CheckResult, Readonly<Spent> {
  readonly overflowed: boolean
  readonly answer: string | undefined
  readonly files: ReadonlyMap<string, string>
  readonly transcript: readonly Message[]
}

/** How the loop treats its history and what it says at the end of each request. */
export interface Loop {
  /** Asks for a plan first, shows it as a note, and names goals of it in the directive. */
  readonly plan?: 'linear' | 'together'
  readonly isParallel?: boolean
  /**
   * `window`: observations become placeholders at 0.6 of the window. `summary`: restarts from a summary there. `fold`: the
   * model is offered a tool that folds steps.
   */
  readonly memory?: 'window' | 'summary' | 'fold'
}

/** One run of a small loop over a model on a world. */
export interface BenchOptions {
  readonly world: string
  readonly rng: number
  readonly model: Model
  readonly loop?: Loop
  /** Changes a file after the task was generated. */
  readonly alter?: (path: string, text: string) => string
}

/** A piece of work on the files of a task. */
export interface Work {
  readonly model: Model
  readonly instruction: string
  readonly task: WorldTask
  readonly files: Map<string, string>
  readonly loop: Loop
  readonly seed: number
  readonly session: string
  readonly spent: Spent
}

const REVIEW_EVERY = 8

/** Tasks are never changed, and large logs are slow to write: each is generated once. */
const tasks = new Map<string, WorldTask>()

/** The task of a world. */
function taskOf({ world, rng }: Pick<BenchOptions, 'world' | 'rng'>): WorldTask {
  const key = `${world} ${rng}`
  const task = tasks.get(key) ?? generateTask(world, { rng })
  tasks.set(key, task)
  return task
}

/** Work on a whole task, with files of its own. */
export function workOn({ world, rng, model, loop = {}, alter = (_path, text) => text }: BenchOptions): Work {
  const task = taskOf({ world, rng })
  return {
    model,
    instruction: task.task.instruction,
    task,
    files: new Map((task.task.files ?? []).map(({ path, text = '' }) => [path, alter(path, text)])),
    loop,
    seed: rng,
    session: `${world}/${rng}`,
    spent: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0, ms: 0 },
  }
}

/** Runs a loop of its own on one task of a world, and checks what it left behind. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const work = workOn(options)
  const loop = new BenchLoop(work)
  const { answer, overflowed } = await loop.run()
  return { ...(await checkWork(work, answer)), overflowed, transcript: loop.view() }
}

/** What the checker of the task says of an answer, with what the work cost. */
export async function checkWork(
  { task, files, spent }: Work,
  answer: string | undefined,
): Promise<Omit<BenchResult, 'overflowed' | 'transcript'>> {
  const check = await task.check({
    ...(answer === undefined ? {} : { answer }),
    readFile: async (path) => files.get(path),
  })
  return { ...check, ...spent, answer, files }
}

/** Asks the model, and counts what that costs. */
export async function askFor(work: Work, request: Omit<ModelRequest, 'seed' | 'session'>): Promise<ModelResponse> {
  const { model, seed, session, spent } = work
  const reply = await model.generate({ ...request, seed, session }, { signal: new AbortController().signal })
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = reply.usage ?? {}
  const { price = { input: 0, cached: 0, output: 0 } } = model
  const [input, cached, output] = [inputTokens ?? 0, cachedTokens ?? 0, outputTokens ?? 0]
  spent.calls += 1
  spent.inputTokens += input
  spent.cachedTokens += cached
  spent.outputTokens += output
  spent.usd += ((input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output) / 1e6
  spent.ms += reply.latencyMs ?? 0
  return reply
}

/** A step of the history, or what stands for several. */
interface Part {
  readonly first: number
  readonly last: number
  readonly messages: readonly Message[]
}

/** A loop: view, model call, calls of tools, until there is an answer. */
export class BenchLoop {
  readonly #work: Work
  readonly #tools: readonly Tool[]
  readonly #head: readonly Message[]
  #history: Part[] = []
  #plan: string[] = []

  constructor(work: Work) {
    this.#work = work
    const { memory } = work.loop
    this.#tools = [...createFileTools(work.files), ...work.task.tools, ...(memory === 'fold' ? [COMPRESS] : [])]
    this.#head = [
      { role: 'system', content: 'You are an agent. Use the tools; answer when the task is done.' },
      { role: 'user', content: work.instruction },
    ]
  }

  async run(): Promise<{ readonly answer: string | undefined; readonly overflowed: boolean }> {
    let answer: string | undefined
    try {
      await this.#makePlan()
      for (let step = 1; step <= this.#work.task.stepLimit && answer === undefined; step++)
        answer = await this.#step(step)
      answer ??= (await askFor(this.#work, { purpose: 'finish', messages: this.view() })).content
      return { answer, overflowed: false }
    } catch (error) {
      if (!isHarnessError(error) || error.code !== 'E_MODEL_CONTEXT_OVERFLOW') throw error
      return { answer, overflowed: true }
    }
  }

  view(directive: string = ''): readonly Message[] {
    const last: readonly Message[] = directive === '' ? [] : [{ role: 'user', content: directive }]
    return [...this.#head, ...this.#history.flatMap((part) => part.messages), ...last]
  }

  async #makePlan(): Promise<void> {
    if (this.#work.loop.plan === undefined) return
    const { content } = await askFor(this.#work, { purpose: 'plan', messages: this.view(), schema: PLAN })
    const { goals } = JSON.parse(content) as { goals: { id: string; text: string }[] }
    this.#plan = goals.map((goal) => goal.text)
    this.#note(goals.map(({ id, text }) => `${id}. ${text} (open)`).join('\n'))
  }

  async #step(step: number): Promise<string | undefined> {
    const { loop } = this.#work
    if (loop.memory === 'window' || loop.memory === 'summary') await this.#shrink(loop.memory)
    if (loop.plan === 'linear' && step % REVIEW_EVERY === 0) await this.#review()
    const reply = await askFor(this.#work, {
      purpose: 'act',
      messages: this.view(loop.plan === undefined ? '' : this.#directive(loop.plan)),
      tools: this.#tools,
      parallelToolCalls: loop.isParallel === true,
    })
    const calls = reply.toolCalls ?? []
    if (calls.length === 0) return reply.content
    const heading = loop.memory === 'fold' ? `[Step ${step}] ` : ''
    const results = []
    for (const call of calls) {
      const content = call.name === COMPRESS.name ? this.#fold(call.arguments) : await execute(this.#tools, call)
      results.push({ role: 'tool', callId: call.id, content } as const)
    }
    const said = { role: 'assistant', content: heading + reply.content, toolCalls: calls } as const
    this.#history.push({ first: step, last: step, messages: [said, ...results] })
    this.#work.spent.ms += Math.max(...calls.map((call) => this.#latencyOf(call.name)))
    return undefined
  }

  /** Simulated time of one call; those of one reply are made at once. */
  #latencyOf(name: string): number {
    const tool = this.#tools.find((one) => one.name === name)
    return tool === undefined ? 0 : (withLatency(tool, this.#work.task.toolLatencyMs).latencyMs ?? 0)
  }

  /** Puts a text in place of steps that are there, whole. */
  #fold(text: string): string {
    const { from, to, text: content } = JSON.parse(text) as { from: number; to: number; text: string }
    const inside = this.#history.filter(({ first, last }) => first >= from && last <= to)
    if (inside[0]?.first !== from || inside.at(-1)?.last !== to) return 'error: there are no such steps'
    const folded: Part = {
      first: from,
      last: to,
      messages: [{ role: 'user', content: `[Compressed Step ${from} to ${to}] ${content}` }],
    }
    this.#history.splice(this.#history.indexOf(inside[0]), inside.length, folded)
    return 'done'
  }

  async #review(): Promise<void> {
    const { content } = await askFor(this.#work, {
      purpose: 'review',
      messages: this.view(`Review:\n${this.#plan.map((text, index) => `${index + 1}. ${text}`).join('\n')}`),
      schema: PLAN,
    })
    const { goals } = JSON.parse(content) as { goals: { text: string; status: string }[] }
    this.#plan = goals.filter((goal) => goal.status !== 'done').map((goal) => goal.text)
  }

  #directive(plan: 'linear' | 'together'): string {
    return plan === 'together' ? this.#plan.join('\n') : (this.#plan[0] ?? '')
  }

  async #shrink(memory: 'window' | 'summary'): Promise<void> {
    const budget = 0.6 * (this.#work.model.contextWindow ?? 0)
    if (sizeOf(this.#history.flatMap((part) => part.messages)) < budget) return
    if (memory === 'summary') {
      const { content } = await askFor(this.#work, { purpose: 'summarise', messages: this.view('Summarise.') })
      this.#history = []
      this.#note(content)
      return
    }
    this.#history = this.#history.map((part) => ({
      ...part,
      messages: part.messages.map((message) =>
        message.role === 'tool' ? { ...message, content: '(dropped)' } : message,
      ),
    }))
  }

  #note(content: string): void {
    this.#history.push({ first: 0, last: 0, messages: [{ role: 'user', content }] })
  }
}

const PLAN = {
  type: 'object',
  properties: {
    goals: {
      type: 'array',
      maxItems: 7,
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          text: { type: 'string' },
          status: { enum: ['open', 'active', 'done', 'failed'] },
        },
        required: ['id', 'text', 'status'],
      },
    },
  },
  required: ['goals'],
} as const

/** The tool that folds steps; the loop itself does what it says. */
const COMPRESS: Tool = {
  name: 'compress',
  description: 'Puts a text of yours in place of the steps from one to another.',
  parameters: {
    type: 'object',
    properties: { from: { type: 'integer' }, to: { type: 'integer' }, text: { type: 'string' } },
    required: ['from', 'to', 'text'],
  },
  execute: () => '',
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + content.length / 4, 0)
}

async function execute(
  tools: readonly Tool[],
  call: { readonly name: string; readonly arguments: string },
): Promise<string> {
  const tool = tools.find((one) => one.name === call.name)
  if (tool === undefined) return `error: there is no tool "${call.name}"`
  try {
    const args = JSON.parse(call.arguments) as Record<string, unknown>
    const missing = (tool.parameters['required'] as string[]).filter((name) => !(name in args))
    if (missing.length > 0) return `error: ${missing.join(', ')} missing`
    return String(await tool.execute(args, undefined as never)) // these tools take no context
  } catch {
    return 'error: the arguments are no JSON object'
  }
}

/** Tools that work on files in memory. */
export function createFileTools(files: Map<string, string>): readonly Tool[] {
  const text = { type: 'string' }
  const tool = (
    name: string,
    required: readonly string[],
    execute: (args: Record<string, string>) => string,
  ): Tool => ({
    name,
    description: `Works on the files of the workspace: ${name.replace('_', ' ')}. Paths are relative to it.`,
    parameters: { type: 'object', properties: Object.fromEntries(required.map((one) => [one, text])), required },
    execute,
  })
  return [
    tool('list_files', [], () => [...files.keys()].join('\n')),
    tool('read_file', ['path'], ({ path = '' }) => files.get(path) ?? `error: there is no file ${path}`),
    tool('write_file', ['path', 'content'], ({ path = '', content = '' }) => {
      files.set(path, content)
      return `wrote ${path}`
    }),
    tool('search_files', ['query'], ({ query = '' }) => searchLines(files, query)),
    tool('calculator', ['expression'], () => 'error: not here'),
  ]
}

function searchLines(files: ReadonlyMap<string, string>, query: string): string {
  const found = [...files].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => (line.includes(query) ? [`${path}:${index + 1}: ${line}`] : [])),
  )
  return found.length === 0 ? `No line matches "${query}".` : found.join('\n')
}
