import fc from 'fast-check'
import {
  type Action,
  type Ctx,
  defineModule,
  type Json,
  type ModelRequest,
  type Module,
  type Reply,
  type SubRun,
  type Tool,
} from '../src/index.js'
import { createScriptedModel, type ModulesUnderTest, type ScriptedModel } from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

/** What one step of a planned run does. */
type PlannedStep =
  | { readonly kind: 'call'; readonly calls: readonly string[] }
  | {
      readonly kind: 'spawn'
      readonly runs: readonly PlannedRun[]
      readonly calls: readonly string[]
      readonly concurrency: number
      /** The runs answer calls of the reply. */
      readonly delegated: boolean
    }
  | { readonly kind: 'think' }

/** What a run does before it ends, and how it ends. */
export interface PlannedRun {
  readonly steps: readonly PlannedStep[]
  readonly end: 'answer' | 'fail' | 'throw' | 'go on'
  /** Simulated time of each of its model calls in ms. */
  readonly latencyMs: number
}

const TOOLS = ['text', 'value', 'keep', 'long', 'broken', 'note', 'absent', 'torn']

function plannedStep(depth: number): fc.Arbitrary<PlannedStep> {
  const calls = fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 3 })
  const call = fc.record({ kind: fc.constant('call' as const), calls })
  const think = fc.record({ kind: fc.constant('think' as const) })
  if (depth === 0) return fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: think })
  const spawn = fc.record({
    kind: fc.constant('spawn' as const),
    runs: fc.array(plannedRun(depth - 1, 2), { minLength: 1, maxLength: 3 }),
    calls: fc.array(fc.constantFrom(...TOOLS), { maxLength: 2 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    delegated: fc.boolean(),
  })
  return fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: think }, { weight: 2, arbitrary: spawn })
}

/** Plans of runs with child runs down to a depth. */
export function plannedRun(depth: number, maxSteps: number = 4): fc.Arbitrary<PlannedRun> {
  return fc.record({
    steps: fc.array(plannedStep(depth), { minLength: 1, maxLength: maxSteps }),
    end: fc.oneof(
      { weight: 6, arbitrary: fc.constant('answer' as const) },
      { weight: 2, arbitrary: fc.constantFrom('fail' as const, 'throw' as const, 'go on' as const) },
    ),
    latencyMs: fc.integer({ min: 0, max: 20 }),
  })
}

/** The plan of the run at a path. */
function planAt(root: PlannedRun, path: string): PlannedRun {
  let plan = root
  for (const part of path === '' ? [] : path.split('/')) {
    const [step, id] = part.split('.') as [string, string]
    const planned = plan.steps[Number(step) - 1]
    if (planned?.kind !== 'spawn') throw new Error(`no child run is planned at ${path}`)
    plan = planned.runs[Number(id.slice(1))] as PlannedRun
  }
  return plan
}

/** What the model is asked to say: it says it. */
interface Order {
  readonly say: string
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly latencyMs: number
}

/** An action that does as planned. Each step asks the model, which does as it is told. */
function planned(root: PlannedRun): Module {
  return defineModule({
    slot: 'action',
    summary: 'Does as planned.',
    async act(ctx): Promise<Action> {
      const plan = planAt(root, ctx.path)
      const step = plan.steps[ctx.step - 1]
      const say = `${ctx.path} at ${ctx.step}`
      if (step === undefined && plan.end === 'throw') throw new Error(`${say} goes wrong`)
      if (step === undefined && plan.end === 'fail') return { kind: 'fail', reason: say }
      const next = step ?? { kind: 'call', calls: ['text'] }
      if (step === undefined && plan.end === 'answer')
        return { kind: 'answer', ...(await replied(ctx as Ctx, plan, say)) }
      if (next.kind === 'think') return { kind: 'think', feedback: `${say} a thought` }
      const delegations = next.kind === 'spawn' && next.delegated ? next.runs.map(() => 'delegate') : []
      const { reply } = await replied(ctx as Ctx, plan, say, [...next.calls, ...delegations])
      const made = reply.toolCalls.slice(0, next.calls.length)
      if (next.kind === 'call') return { kind: 'call', reply, calls: made }
      const asked = reply.toolCalls.slice(next.calls.length)
      const runs = next.runs.map((_run, index): SubRun => {
        const callId = asked[index]?.id
        return { id: `r${index}`, task: { instruction: `Be ${say} ${index}.` }, ...(callId && { callId }) }
      })
      return { kind: 'spawn', reply, runs, calls: made, concurrency: next.concurrency }
    },
  })
}

async function replied(
  ctx: Ctx,
  { latencyMs }: PlannedRun,
  say: string,
  tools: readonly string[] = [],
): Promise<{ readonly reply: Reply; readonly answer: Json }> {
  const calls = tools.map((name, at) => ({
    name,
    arguments: name === 'torn' ? '{"at":' : JSON.stringify({ at, step: ctx.step }),
  }))
  const order: Order = { say, calls, latencyMs }
  const messages = [...ctx.view.messages, { role: 'user' as const, content: JSON.stringify(order) }]
  const reply = await ctx.model({ purpose: 'act', messages, tools: ctx.capabilities.tools, maxTokens: 60 })
  return { reply, answer: reply.content }
}

/** A model that does what the last message tells it: its reply depends on the request alone. */
export function obedientModel(more: Parameters<typeof createScriptedModel>[1] = {}): ScriptedModel {
  const obey = ({ messages }: ModelRequest) => {
    const text = String(messages.at(-1)?.content)
    const { say, calls = [], latencyMs = 0 }: Order = text.startsWith('{') ? JSON.parse(text) : { say: 'the end' }
    const toolCalls = calls.map((call) => ({ id: '', ...call }))
    return {
      content: say,
      toolCalls,
      finish: calls.length > 0 ? ('tool_calls' as const) : ('stop' as const),
      latencyMs,
    }
  }
  return createScriptedModel([obey], more)
}

/** Results of every kind: texts, values, artifacts, ones that are cut, failures. All of them may be made again. */
export function plannedTools(): readonly Tool[] {
  const free = { idempotent: true, readOnly: true } as const
  const odd = { ['__proto__']: 1, 'a b': [null, true, { deep: 'ä \ud83d\ude00' }], constructor: 'c' }
  return [
    aTool('text', { ...free, latencyMs: 7, execute: ({ at, step }: never) => `text ${step} ${at} "\\ \u2028` }),
    aTool('value', { ...free, latencyMs: 3, execute: ({ at }: { at: number }) => ({ at, ...odd, n: 0.1 + at }) }),
    aTool('keep', { ...free, execute: ({ at }: { at: number }, ctx) => `kept as ${ctx.put({ at })}` }),
    aTool('long', { ...free, maxResultChars: 80, execute: () => 'long '.repeat(60) }),
    aTool('broken', {
      ...free,
      execute: () => {
        throw new Error('it is broken')
      },
    }),
  ]
}

/** A plugin with a state, a tool, notes, artifacts and chance, which watches every call and sometimes changes results. */
const busyPlugin: Module = aPlugin({
  state: () => ({ guarded: 0, dice: [] as number[], seen: { text: '' } }),
  tools: (ctx) => [
    {
      name: 'note',
      description: 'Notes.',
      parameters: { type: 'object' },
      execute({ at }: { at: number }) {
        ctx.note('review', `noted ${at}`)
        ctx.state.dice.push(ctx.random())
        return { as: ctx.put({ at }) }
      },
    },
  ],
  start(ctx) {
    if (!ctx.resumed) ctx.note('plan', 'begin')
  },
  toolCall(_call, ctx) {
    ctx.state.guarded += 1
    return ctx.state.guarded % 5 === 0 ? { deny: true, reason: 'every fifth' } : undefined
  },
  toolResult: (observation, ctx) =>
    ctx.state.guarded % 3 === 0
      ? { ...observation, content: `${observation.content} (${ctx.state.guarded})` }
      : undefined,
  record(step, ctx) {
    ctx.state.seen = { text: `step ${step.index} of ${Object.keys(ctx.children).length} children` }
    if (step.index % 2 === 0) ctx.note('summary', `step ${step.index}: ${ctx.random().toFixed(6)}`)
  },
})

/** A plugin whose state changes in one step alone, and is told in every later one. */
const steadyPlugin: Module = aPlugin({
  state: () => ({ kept: '' }),
  record(step, ctx) {
    if (step.index === 1) ctx.state.kept = `kept at ${ctx.random().toFixed(6)}`
    else ctx.note('kept', ctx.state.kept)
  },
})

/** Modules of a planned run. */
export function plannedModules(root: PlannedRun): ModulesUnderTest {
  return { action: planned(root), plugins: [busyPlugin, steadyPlugin], manifest: { limits: { steps: 5 } } }
}
