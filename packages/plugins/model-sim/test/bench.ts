import {
  isHarnessError,
  type Message,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Tool,
} from '@harnesswright/core'
import { type CheckResult, generateTask, type WorldTask, withLatency } from './worlds.js'

/** What a run came to. */
export interface BenchResult extends CheckResult {
  readonly calls: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly usd: number
  readonly ms: number
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
  /** `window`: observations become placeholders at 0.6 of the window. `summary`: restarts from a summary there. */
  readonly memory?: 'window' | 'summary'
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

const REVIEW_EVERY = 8

/** Tasks are never changed, and large logs are slow to write: each is generated once. */
const tasks = new Map<string, WorldTask>()

function taskOf({ world, rng }: BenchOptions): WorldTask {
  const key = `${world} ${rng}`
  const task = tasks.get(key) ?? generateTask(world, { rng })
  tasks.set(key, task)
  return task
}

/** Runs a loop of its own on one task of a world, and checks what it left behind. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  return new Run(options, taskOf(options)).run()
}

class Run {
  readonly #options: BenchOptions
  readonly #task: WorldTask
  readonly #files: Map<string, string>
  readonly #tools: readonly Tool[]
  readonly #head: readonly Message[]
  #history: Message[] = []
  #plan: string[] = []
  readonly #spent = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0, ms: 0 }

  constructor(options: BenchOptions, task: WorldTask) {
    const { alter = (_path: string, text: string): string => text } = options
    this.#options = options
    this.#task = task
    this.#files = new Map((task.task.files ?? []).map(({ path, text = '' }) => [path, alter(path, text)]))
    this.#tools = [...createFileTools(this.#files), ...task.tools]
    this.#head = [
      { role: 'system', content: 'You are an agent. Use the tools; answer when the task is done.' },
      { role: 'user', content: task.task.instruction },
    ]
  }

  async run(): Promise<BenchResult> {
    let answer: string | undefined
    let overflowed = false
    try {
      await this.#makePlan()
      for (let step = 1; step <= this.#task.stepLimit && answer === undefined; step++) answer = await this.#step(step)
      answer ??= (await this.#ask({ purpose: 'finish', messages: this.#view() })).content
    } catch (error) {
      if (!isHarnessError(error) || error.code !== 'E_MODEL_CONTEXT_OVERFLOW') throw error
      overflowed = true
    }
    const check = await this.#task.check({
      ...(answer === undefined ? {} : { answer }),
      readFile: async (path) => this.#files.get(path),
    })
    return { ...check, ...this.#spent, overflowed, answer, files: this.#files, transcript: this.#view() }
  }

  async #makePlan(): Promise<void> {
    if (this.#options.loop?.plan === undefined) return
    const { content } = await this.#ask({ purpose: 'plan', messages: this.#view(), schema: PLAN })
    const { goals } = JSON.parse(content) as { goals: { id: string; text: string }[] }
    this.#plan = goals.map((goal) => goal.text)
    this.#note(goals.map(({ id, text }) => `${id}. ${text} (open)`).join('\n'))
  }

  async #step(step: number): Promise<string | undefined> {
    const { loop = {} } = this.#options
    if (loop.memory !== undefined) await this.#shrink(loop.memory)
    if (loop.plan === 'linear' && step % REVIEW_EVERY === 0) await this.#review()
    const reply = await this.#ask({
      purpose: 'act',
      messages: this.#view(loop.plan === undefined ? '' : this.#directive(loop.plan)),
      tools: this.#tools,
      parallelToolCalls: loop.isParallel === true,
    })
    if (reply.toolCalls === undefined || reply.toolCalls.length === 0) return reply.content
    this.#history.push({ role: 'assistant', content: reply.content, toolCalls: reply.toolCalls })
    for (const call of reply.toolCalls) {
      this.#history.push({ role: 'tool', callId: call.id, content: await execute(this.#tools, call) })
    }
    this.#spent.ms += Math.max(...reply.toolCalls.map((call) => this.#latencyOf(call.name)))
    return undefined
  }

  /** Simulated time of one call; those of one reply are made at once. */
  #latencyOf(name: string): number {
    const tool = this.#tools.find((one) => one.name === name)
    return tool === undefined ? 0 : (withLatency(tool, this.#task.toolLatencyMs).latencyMs ?? 0)
  }

  async #review(): Promise<void> {
    const { content } = await this.#ask({
      purpose: 'review',
      messages: this.#view(`Review:\n${this.#plan.map((text, index) => `${index + 1}. ${text}`).join('\n')}`),
      schema: PLAN,
    })
    const { goals } = JSON.parse(content) as { goals: { text: string; status: string }[] }
    this.#plan = goals.filter((goal) => goal.status !== 'done').map((goal) => goal.text)
  }

  #directive(plan: 'linear' | 'together'): string {
    return plan === 'together' ? this.#plan.join('\n') : (this.#plan[0] ?? '')
  }

  async #shrink(memory: 'window' | 'summary'): Promise<void> {
    const budget = 0.6 * (this.#options.model.contextWindow ?? 0)
    if (sizeOf(this.#history) < budget) return
    if (memory === 'summary') {
      const { content } = await this.#ask({ purpose: 'summarise', messages: this.#view('Summarise.') })
      this.#history = [{ role: 'user', content }]
      return
    }
    this.#history = this.#history.map((message) =>
      message.role === 'tool' ? { ...message, content: '(dropped)' } : message,
    )
  }

  #view(directive: string = ''): readonly Message[] {
    const last: readonly Message[] = directive === '' ? [] : [{ role: 'user', content: directive }]
    return [...this.#head, ...this.#history, ...last]
  }

  #note(content: string): void {
    this.#history.push({ role: 'user', content })
  }

  async #ask(request: Omit<ModelRequest, 'seed' | 'session'>): Promise<ModelResponse> {
    const { model, rng, world } = this.#options
    const reply = await model.generate(
      { ...request, seed: rng, session: `${world}/${rng}` },
      { signal: new AbortController().signal },
    )
    const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = reply.usage ?? {}
    const { price = { input: 0, cached: 0, output: 0 } } = model
    const [input, cached, output] = [inputTokens ?? 0, cachedTokens ?? 0, outputTokens ?? 0]
    this.#spent.calls += 1
    this.#spent.inputTokens += input
    this.#spent.cachedTokens += cached
    this.#spent.outputTokens += output
    this.#spent.usd +=
      ((input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output) / 1e6
    this.#spent.ms += reply.latencyMs ?? 0
    return reply
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
