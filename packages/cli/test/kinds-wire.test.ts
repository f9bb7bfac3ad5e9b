import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  assemble,
  type Ctx,
  createEnvironment,
  defineModule,
  defineTool,
  type HarnessEvent,
  type Json,
  type Model,
  type Run,
  type RunResult,
  systemClock,
  type Task,
  type Tool,
} from '@harnesswright/core'
import { assembleModules, minimalAction } from '@harnesswright/core/testkit'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { createFallbackModel, createOpenAiModel, type OpenAiModelOptions } from '@harnesswright/plugin-model-openai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { manifestOf, seedPackages } from './support/world-run.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any
/** What an endpoint does with the request of that number, from 0. */
type Answering = (response: ServerResponse, index: number, body: Body) => void

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An endpoint on a free port of this computer, which keeps the bodies it got and counts the lines that are open. */
async function serve(answer: Answering) {
  const bodies: Body[] = []
  let lines = 0
  const server = createServer(async (request, response) => {
    lines++
    response.on('close', () => lines--)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    bodies.push(JSON.parse(Buffer.concat(parts).toString()))
    answer(response, bodies.length - 1, bodies.at(-1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { baseUrl: `http://127.0.0.1:${port}/v1`, bodies, openLines: () => lines }
}

/** A completion in one piece or as a stream, as the request asks. */
function say(response: ServerResponse, { stream }: Body, message: object, finish: string | null = 'stop'): void {
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: finish }] }))
  }
  begin(response, message)
  if (finish !== null) response.write(chunk({}, finish))
  response.end(finish === null ? '' : 'data: [DONE]\n\n')
}

function begin(response: ServerResponse, delta: object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk(delta))
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

const calling = (name: string, args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: args } }],
})

/** Waits until something holds, for at most 2 s. */
async function until(holds: () => boolean): Promise<void> {
  for (let waits = 0; !holds(); waits++) {
    if (waits > 400) throw new Error('it did not come to hold within 2 s')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The clock of the computer, on which waits take no time. */
const hurried = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 1_000, signal) }

const modelAt = (baseUrl: string, more: Partial<OpenAiModelOptions> = {}): Model =>
  createOpenAiModel({ model: 'm', baseUrl, clock: hurried, ...more })

/** A run of ReAct, as it is shipped, whose events are read: then the model streams. */
async function run(model: Model, task: Task, tools: readonly Tool[] = []) {
  const env = createEnvironment({ model, tools, strict: true })
  const harness = await assemble(manifestOf('react'), { catalog: createCatalog(seedPackages), env })
  const events: HarnessEvent[] = []
  const running = harness.run(task)
  for await (const event of running) events.push(event)
  const result: RunResult = await running.result
  return { result, events }
}

/** References in a schema that point at nothing in it. */
function dangling(schema: unknown, root: unknown = schema): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref } = schema as { $ref?: unknown }
  const own = $ref === undefined || resolves(String($ref), root) ? [] : [$ref]
  return [...own, ...Object.values(schema).flatMap((part) => dangling(part, root))]
}

function resolves(ref: string, root: unknown): boolean {
  const keys = ref.split('/').slice(1)
  const found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root)
  return ref.startsWith('#/') && typeof found === 'object'
}

const place = z.object({ city: z.string(), zip: z.number().optional() }).meta({ id: 'place' })
const ship = defineTool({
  name: 'ship',
  description: 'Ships from a place to another.',
  input: z.object({ from: place, to: place }),
  execute: ({ from, to }) => `shipped from ${from.city} to ${to.city}`,
})
const SHIPPED = '{"from":{"city":"Ghent"},"to":{"city":"Bruges"}}'
const output = z.toJSONSchema(z.object({ title: z.string(), start: place, end: place })) as NonNullable<Task['output']>
const ANSWER: Json = { title: 'A parcel', start: { city: 'Ghent' }, end: { city: 'Bruges', zip: 8_000 } }

describe('structured answers and tools at once', () => {
  const dialects: readonly (readonly [string, Partial<OpenAiModelOptions>])[] = [
    ['takes a schema', {}],
    ['takes a strict schema', { dialect: { structured: { form: 'json_schema', strict: true } } }],
    ['takes a schema, but not with tools', { dialect: { structured: { form: 'json_schema', withTools: false } } }],
    ['takes no schema', { dialect: { structured: { form: 'json_object' } } }],
    ['takes words alone', { dialect: { structured: { form: 'text' } } }],
  ]

  test.each(dialects)('K9: an endpoint that %s calls the tool first, and then gives the object', async (_, options) => {
    const { baseUrl, bodies } = await serve((response, index, body) =>
      index === 0
        ? say(response, body, calling('ship', SHIPPED), 'tool_calls')
        : say(response, body, { role: 'assistant', content: JSON.stringify(ANSWER) }),
    )
    const { result } = await run(modelAt(baseUrl, options), { instruction: 'Ship it.', output }, [ship])

    expect(result).toMatchObject({ status: 'answered', answer: ANSWER })
    expect(result.steps[0]?.observations).toMatchObject([{ ok: true, content: 'shipped from Ghent to Bruges' }])
    expect(bodies).toHaveLength(2)
    for (const body of bodies) {
      expect(body.tools.map((tool: Body) => tool.function.name)).toEqual(['ship'])
      expect(JSON.stringify([body.response_format, body.messages])).toContain('"title')
    }
  })

  test.each(dialects)('K8: what is sent to one that %s has no reference that points nowhere', async (_, options) => {
    const { baseUrl, bodies } = await serve((response, _index, body) =>
      say(response, body, { role: 'assistant', content: JSON.stringify(ANSWER) }),
    )
    await run(modelAt(baseUrl, options), { instruction: 'Ship it.', output }, [ship])

    const [{ tools, response_format: format }] = bodies
    const schemas = [tools[0].function.parameters, format?.json_schema?.schema ?? output]
    expect(JSON.stringify(schemas).match(/"\$ref"/g)).toHaveLength(4)
    expect(schemas.flatMap((schema) => dangling(schema))).toEqual([])
  })
})

describe('attempts in one step', () => {
  const refused: Answering = (response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end('{"error":{"message":"Too many requests"}}')
  }

  test('K46: are five over all layers: those of a model, of those to fall back on, and of the step', async () => {
    const { baseUrl, bodies } = await serve(refused)
    const models = ['a', 'b', 'c'].map((model) => modelAt(baseUrl, { model }))
    const { result, events } = await run(createFallbackModel(models, { id: 'list' }), { instruction: 'Say something.' })

    expect(result).toMatchObject({ status: 'failed', error: { code: 'E_MODEL_RATE_LIMIT' } })
    expect(bodies).toHaveLength(5)
    expect(events.filter(({ type }) => type === 'step-start')).toHaveLength(1)
  })
})

/** What was started and has not ended, of each kind of span that events make. */
function openSpans(events: readonly HarnessEvent[]): Readonly<Record<string, number>> {
  const open: Record<string, number> = {}
  for (const { type } of events) {
    const [, kind = '', edge] = /^(\w+)-(start|end)$/.exec(type) ?? []
    if (edge !== undefined) open[kind] = (open[kind] ?? 0) + (edge === 'start' ? 1 : -1)
  }
  return open
}

describe('a child run that waits for its model', () => {
  /** Starts a child at its first step, which asks its model. */
  const delegating = defineModule({
    ...minimalAction,
    act(ctx) {
      if (ctx.depth > 0) return minimalAction.act?.(ctx as Ctx)
      return { kind: 'spawn', runs: [{ id: 'child', task: { instruction: 'Say something.' } }] }
    },
  })
  const silent: Answering = (response) => begin(response, { content: 'It is ' })

  test.each<[string, (run: Run, asked: () => Promise<void>) => Promise<void>]>([
    [
      'K37: closes its line when its parent is aborted',
      async (running, asked) => {
        await asked()
        running.abort('enough')
      },
    ],
    [
      'K38: closes its line when nobody reads its parent any more',
      async (running) => {
        for await (const event of running) if (event.type === 'model-delta') break
      },
    ],
  ])('%s, within 200 ms', async (_, stop) => {
    const { baseUrl, openLines, bodies } = await serve(silent)
    const env = createEnvironment({ model: modelAt(baseUrl), strict: true })
    const running = (await assembleModules({ action: delegating }, env)).run('Delegate it.')
    await stop(running, () => until(() => openLines() === 1))
    const stopped = performance.now()

    expect((await running.result).status).toBe('aborted')
    await until(() => openLines() === 0)
    expect(performance.now() - stopped).toBeLessThan(200)
    expect(bodies).toHaveLength(1)
  })
})

describe('a stream that breaks', () => {
  const cut: Answering = (response) => {
    begin(response, { content: 'It is ' })
    setImmediate(() => response.destroy())
  }
  const breaks: readonly (readonly [string, Answering])[] = [
    ['with its line', cut],
    [
      'with an error in its middle',
      (response) => {
        begin(response, { content: 'It is ' })
        response.end('data: {"error":{"message":"The server had an error"}}\n\n')
      },
    ],
    ['off before its finish', (response) => say(response, { stream: true }, { content: 'It is 3.' }, null)],
  ]

  test.each(breaks)('K72, K73: %s, and is tried again, leaves no span open', async (_, breaking) => {
    const { baseUrl, bodies, openLines } = await serve((response, index, body) =>
      index < 2 ? breaking(response, index, body) : say(response, body, { content: 'It is 3.' }),
    )
    const { result, events } = await run(modelAt(baseUrl), { instruction: 'Add 1 and 2.' })

    expect(result).toMatchObject({ status: 'answered', answer: 'It is 3.' })
    expect(bodies).toHaveLength(3)
    expect(openSpans(events)).toEqual({ run: 0, step: 0, model: 0 })
    await until(() => openLines() === 0)
  })

  test.each(breaks)(
    'K72, K73: %s, at every try, ends the run, and those who read it, and its lines',
    async (_, breaking) => {
      const { baseUrl, openLines } = await serve(breaking)
      const { result, events } = await run(modelAt(baseUrl), { instruction: 'Add 1 and 2.' })

      expect(result).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^E_MODEL_/) } })
      expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'failed' })
      expect(openSpans(events)).toMatchObject({ run: 0 })
      await until(() => openLines() === 0)
    },
  )
})

test('K73: a stream that says that it is over, and never why, is an answer, and no span waits for more', async () => {
  const { baseUrl, bodies } = await serve((response) => {
    begin(response, { content: 'It is 3.' })
    response.end('data: [DONE]\n\n')
  })
  const { result, events } = await run(modelAt(baseUrl), { instruction: 'Add 1 and 2.' })

  expect(result).toMatchObject({ status: 'answered', answer: 'It is 3.' })
  expect(bodies).toHaveLength(1)
  expect(openSpans(events)).toEqual({ run: 0, step: 0, model: 0 })
})

describe('a rate limit', () => {
  let unhandled: unknown[] = []
  const keep = (reason: unknown): number => unhandled.push(reason)
  beforeEach(() => {
    unhandled = []
    process.on('unhandledRejection', keep)
  })
  afterEach(() => void process.off('unhandledRejection', keep))

  test('K43, K44: whose wait stands in the body is waited for as long as that, and as long as the event says', async () => {
    const slept: number[] = []
    const clock = {
      ...hurried,
      sleep: (ms: number, signal?: AbortSignal) => {
        slept.push(ms)
        return hurried.sleep(ms, signal)
      },
    }
    const { baseUrl } = await serve((response, index, body) => {
      if (index > 0) return say(response, body, { content: 'At last.' })
      response.writeHead(429, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"Too many requests","retry_after_seconds":7}}')
    })
    const { result, events } = await run(modelAt(baseUrl, { clock }), { instruction: 'Say something.' })

    expect(result.answer).toBe('At last.')
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ delayMs: 7_000 }])
    expect(slept.filter((ms) => ms === 7_000)).toHaveLength(1)
  })

  test('K45: in the middle of a stream, at every try, is a result and no rejection that nobody handles', async () => {
    const { baseUrl, bodies } = await serve((response) => {
      begin(response, { content: 'It is ' })
      response.end('data: {"error":{"message":"Rate limit reached","code":429}}\n\n')
    })
    const { result } = await run(modelAt(baseUrl), { instruction: 'Say something.' })
    await new Promise((resolve) => setTimeout(resolve, 10)) // a rejection is reported after its turn

    expect(result).toMatchObject({ status: 'failed', error: { code: 'E_MODEL_RATE_LIMIT' } })
    expect(bodies).toHaveLength(5)
    expect(unhandled).toEqual([])
  })
})
