import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  type Action,
  type Ctx,
  createEnvironment,
  defineModule,
  type EnvironmentOptions,
  type Json,
  type ModelRequest,
  type Module,
} from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type ModulesUnderTest,
  minimalAction,
  resumeLaw,
  type Script,
} from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

const ROOT = join(import.meta.dirname, '../../..')

/** What `scripts/kill-runs.mjs` found. */
interface Figures {
  readonly kills: number
  readonly runs: number
  readonly twice: number
  readonly faults: readonly string[]
  readonly answer: string
}

test.skipIf(process.platform === 'win32')(
  'a run that is killed at any moment goes on: no call is made twice, one is told as unknown only if it was under way, and the answer is the same',
  { timeout: 120_000 },
  async () => {
    const args = ['scripts/kill-runs.mjs', '--source', '--kills', '8', '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((failed) => failed)
    const { kills, runs, twice, faults, answer } = JSON.parse(stdout) as Figures

    expect(faults).toEqual([])
    expect([kills >= 8, runs > 1, twice]).toEqual([true, true, 0])
    expect(answer).toBe('seen 26, recorded 20')
  },
)

/** A run that meets something, and what it is made of. Its model is a function of the request. */
interface Met {
  readonly say: (request: ModelRequest, seen: number) => Script
  readonly modules?: ModulesUnderTest
  readonly env?: Partial<EnvironmentOptions>
}

const act = (ctx: unknown): Promise<Action> => minimalAction.act?.(ctx as Ctx) as Promise<Action>

/** Looks so often, and then answers. */
const looks =
  (times: number): Met['say'] =>
  (_request, seen) =>
    seen < times ? { call: 'look', with: { seen }, say: `I look for the ${seen}th time.` } : 'done'

const endless: Met['say'] = ({ purpose }, seen) =>
  purpose === 'finish' ? 'all I have' : { call: 'look', with: { seen } }

/** Spawns at its first step, with a child that takes longer to make than the other. */
const spawner = (more: object = {}): Module =>
  defineModule({
    ...minimalAction,
    act(ctx): Action | Promise<Action> {
      if (ctx.depth > 0) return act(ctx)
      if (ctx.step > 2) return { kind: 'answer', answer: Object.keys(ctx.children) }
      if (ctx.step === 2) return { kind: 'think', feedback: Object.keys(ctx.children).join() }
      const task = { instruction: 'Be a child.' }
      return {
        kind: 'spawn',
        runs: [
          { id: 'z', task, harness: { extends: 'self', name: 'made later' } },
          { id: 'a', task },
        ],
        ...more,
      }
    },
  })

const RUNS: Readonly<Record<string, Met>> = {
  'answers with artifacts of its choice': {
    say: () => 'done',
    modules: {
      action: defineModule({
        ...minimalAction,
        act: (ctx): Action => ({ kind: 'answer', answer: 'x', artifacts: [ctx.put('chosen')] }),
      }),
      plugins: [aPlugin({ record: (_step, ctx) => void ctx.put('not chosen') })],
    },
  },
  'gives up': {
    say: looks(2),
    modules: {
      action: defineModule({
        ...minimalAction,
        act: (ctx) => (ctx.step < 3 ? act(ctx) : { kind: 'fail', reason: 'no way on' }),
      }),
    },
  },
  'repeats itself until it is stopped': {
    say: ({ purpose }) => (purpose === 'finish' ? 'nothing new' : { call: 'look' }),
  },
  'is at the end of its tool calls': { say: endless, modules: { manifest: { limits: { toolCalls: 2 } } } },
  'is at the end of its steps': { say: endless, modules: { manifest: { limits: { steps: 3 } } } },
  'writes calls that nobody can read': {
    say: ({ purpose }) => (purpose === 'finish' ? 'sorry' : { call: 'look', with: '{"a":' }),
  },
  'has no tokens left to absorb a step': {
    say: looks(4),
    modules: {
      manifest: { limits: { tokens: 8_000 } },
      plugins: [
        aPlugin({
          async record(step, ctx) {
            const content = 'x'.repeat(8_000)
            if (step.index === 2) await ctx.model({ purpose: 'review', messages: [{ role: 'user', content }] })
          },
        }),
      ],
    },
    env: { budget: 'strict' },
  },
  'has no tokens left after it has planned': {
    say: endless,
    modules: {
      manifest: { limits: { tokens: 9_000 } },
      planning: defineModule({
        slot: 'planning',
        summary: 'Plans at every step, and in the third for too much.',
        async direct(ctx) {
          for (const length of [5, 10, ctx.step === 3 ? 9_000 : 15])
            await ctx.model({ purpose: 'plan', messages: [{ role: 'user', content: 'p'.repeat(length) }] })
          return { text: 'as planned' }
        },
      }),
    },
    env: { budget: 'strict' },
  },
  'cannot ask for a closing answer': {
    say: ({ purpose }, seen) =>
      purpose === 'finish' ? new Error('the line is cut') : { call: 'look', with: { seen } },
    modules: { manifest: { limits: { steps: 2 } } },
  },
  'has a closing answer of a module': {
    say: endless,
    modules: {
      action: defineModule({ ...minimalAction, finish: (reason, ctx) => ({ reason, kept: ctx.put('closing') }) }),
      manifest: { limits: { steps: 2 } },
    },
  },
  'is done when its plan is': {
    say: endless,
    modules: {
      planning: defineModule({
        slot: 'planning',
        summary: 'Is done after two steps.',
        state: () => ({ turns: 0 }),
        direct(ctx) {
          ctx.state.turns += 1
          ctx.note('plan', `turn ${ctx.state.turns}`)
          return { text: '', ...(ctx.step > 2 ? { done: true } : {}) }
        },
      }),
    },
  },
  'needs its state at the end': {
    say: looks(1),
    modules: {
      plugins: [
        aPlugin({
          state: () => ({ open: ['a'] }),
          end(_result, ctx) {
            if (ctx.state.open.length === 0) throw new Error('it is closed already')
          },
        }),
      ],
    },
  },
  'is warned at its start': { say: looks(2), env: { limits: { usd: 1 } } },
  'sets its state, notes and asks a model when it starts': {
    say: looks(2),
    modules: {
      plugins: [
        aPlugin({
          state: () => ({ day: '' }),
          system: (ctx) => `It is ${ctx.state.day}.`,
          async start(ctx) {
            for (const content of ['one', 'two', 'three'])
              await ctx.model({ purpose: 'plan', messages: [{ role: 'user', content }] })
            if (ctx.resumed) return
            ctx.state.day = 'Monday'
            ctx.note('plan', 'begin')
          },
        }),
      ],
    },
  },
  'asks models in vain before it acts': {
    say: ({ purpose }, seen) =>
      purpose === 'plan' ? new Error('the line is cut') : looks(2)({} as ModelRequest, seen),
    modules: {
      action: defineModule({
        ...minimalAction,
        async act(ctx) {
          await ctx.model({ purpose: 'plan', messages: [{ role: 'user', content: 'in vain' }] }).catch(() => {})
          return await act(ctx)
        },
      }),
    },
  },
  'asks two models at once, of which the second is quicker': {
    say: ({ purpose, messages }, seen) =>
      purpose === 'plan'
        ? { content: 'so', finish: 'stop', latencyMs: messages[0]?.content === 'slow' ? 50 : 5 }
        : looks(2)({} as ModelRequest, seen),
    modules: {
      action: defineModule({
        ...minimalAction,
        async act(ctx) {
          const ask = (content: string) => ctx.model({ purpose: 'plan', messages: [{ role: 'user', content }] })
          await Promise.all([ask('slow'), ask('quick')])
          return await act(ctx)
        },
      }),
    },
  },
  'makes one of the calls of each reply, whose ids its model gives again': {
    say: (_request, seen) =>
      seen < 3
        ? {
            content: '',
            toolCalls: ['k0', 'k1', 'k2'].map((id) => ({ id, name: 'look', arguments: '{}' })),
            finish: 'tool_calls',
          }
        : 'done',
    modules: {
      action: defineModule({
        ...minimalAction,
        async act(ctx): Promise<Action> {
          const action = await act(ctx)
          return action.kind === 'call' ? { ...action, calls: action.calls.slice(ctx.step - 1, ctx.step) } : action
        },
      }),
    },
  },
  'cuts results, and reads the rest': {
    say: (_request, seen) =>
      seen === 2 ? { call: 'read_result', with: { id: 'a1' } } : looks(4)({} as ModelRequest, seen),
    env: {
      tools: [
        aTool('look', { idempotent: true, readOnly: true, maxResultChars: 80, execute: () => 'word '.repeat(99) }),
      ],
    },
  },
  'keeps artifacts of tools that end in another order than they began': {
    say: (_request, seen) =>
      seen < 4
        ? {
            calls: [
              { call: 'slow', with: { seen } },
              { call: 'quick', with: { seen } },
            ],
          }
        : 'done',
    env: {
      tools: [
        aTool('slow', {
          idempotent: true,
          readOnly: true,
          latencyMs: 20,
          execute: (_args: unknown, { put }) => put('slow'),
        }),
        aTool('quick', { idempotent: true, readOnly: true, execute: (_args: unknown, { put }) => put('quick') }),
      ],
    },
  },
  'asks a person, and for leave': {
    say: looks(3),
    modules: {
      action: defineModule({
        ...minimalAction,
        act: (ctx) => (ctx.step === 2 ? { kind: 'ask', question: 'Which?' } : act(ctx)),
      }),
      plugins: [
        aPlugin({
          state: () => ({ asked: 0 }),
          toolCall(call, ctx) {
            ctx.state.asked += ctx.random()
            return call.arguments.includes('1') ? { ask: 'May it?' } : undefined
          },
          record: (_step, ctx) => ctx.note('asked', ctx.state.asked.toFixed(9)),
        }),
      ],
    },
    env: { ask: async ({ id }): Promise<Json> => (id.includes('.') ? 'yes' : { colour: 'blue' }) },
  },
  'has child runs that begin and end in another order than they are named': {
    say: (request, seen) => ({
      content: `seen ${seen}`,
      finish: 'stop',
      latencyMs: request.seed === undefined ? 1 : request.seed % 50,
    }),
    modules: { action: spawner() },
  },
  'shows its child runs to those who watch results': {
    say: looks(1),
    modules: {
      action: spawner({ calls: [{ id: 'own', name: 'look', arguments: '{"own":1}' }] }),
      plugins: [
        aPlugin({
          toolResult: (observation, ctx) => ({
            ...observation,
            content: `${observation.content} ${Object.keys(ctx.children)}`,
          }),
        }),
      ],
    },
  },
  'has child runs whose model says nothing': { say: () => '', modules: { action: spawner() } },
}

describe('the resume law holds at every point of a run that', () => {
  test.each(Object.keys(RUNS))('%s', { timeout: 60_000 }, async (name) => {
    const { say, modules = {}, env = {} } = RUNS[name] as Met
    const script: Script = (request) => say(request, request.messages.filter(({ role }) => role === 'tool').length)
    const { faults, points } = await resumeLaw({
      task: 'Do the task.',
      seed: 7,
      async fresh(journal) {
        const model = createScriptedModel([script])
        const look = aTool('look', {
          idempotent: true,
          readOnly: true,
          latencyMs: 3,
          execute: () => 'the same as ever',
        })
        const whole = createEnvironment({
          model,
          tools: [look],
          clock: createVirtualClock(),
          strict: true,
          newId: () => 'run',
          journal,
          ...env,
        })
        return { harness: await assembleModules(modules, whole), requests: model.requests }
      },
    })
    expect(faults).toEqual([])
    expect(points).toBeGreaterThan(2)
  })
})
