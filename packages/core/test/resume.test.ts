import { expect, test } from 'vitest'
import { type Action, type Ctx, createEnvironment, defineModule, type Module } from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type ModulesUnderTest,
  minimalAction,
  resumeLaw,
} from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

/** A model that is a function of its request: it looks `steps` times, two calls at a time, and then answers. */
const looking = (steps: number) =>
  createScriptedModel([
    ({ messages }) => {
      const seen = messages.filter(({ role }) => role === 'tool').length
      if (seen >= steps * 2) return `seen ${seen}`
      return {
        calls: [
          { call: 'look', with: { at: seen } },
          { call: 'note', with: { at: seen } },
        ],
        say: `turn ${seen}`,
      }
    },
  ])

const busy = aPlugin({
  state: () => ({ steps: 0, guarded: 0, dice: [] as number[] }),
  tools: (ctx) => [
    {
      name: 'note',
      description: 'Notes.',
      parameters: { type: 'object' },
      execute: ({ at }: { at: number }) => {
        ctx.note('review', `noted ${at}`)
        ctx.state.dice.push(ctx.random())
        return `noted as ${ctx.put({ at })}`
      },
    },
  ],
  start(ctx) {
    if (!ctx.resumed) ctx.note('plan', 'begin')
  },
  toolCall(_call, ctx) {
    ctx.state.guarded += 1
    return undefined
  },
  toolResult: (observation, ctx) => ({ ...observation, content: `${observation.content} (${ctx.state.guarded})` }),
  record(step, ctx) {
    ctx.state.steps += 1
    ctx.note('summary', `step ${step.index}: ${ctx.random().toFixed(6)}`)
  },
})

const tools = [
  aTool('look', {
    readOnly: true,
    idempotent: true,
    execute: ({ at }, ctx) => `${'x'.repeat(40)} ${at} ${ctx.put(at)}`,
  }),
]

function law(modules: ModulesUnderTest, steps = 3) {
  return resumeLaw({
    task: 'Do the task.',
    seed: 7,
    async fresh(journal) {
      const model = looking(steps)
      const env = createEnvironment({
        model,
        tools,
        clock: createVirtualClock(),
        strict: true,
        newId: () => 'run',
        journal,
      })
      return { harness: await assembleModules(modules, env), requests: model.requests }
    },
  })
}

test('a run goes on from every point at which something was made durable, as if nothing had happened', async () => {
  const { points, faults } = await law({ plugins: [busy] })
  expect(faults).toEqual([])
  expect(points).toBeGreaterThan(15)
})

/** Spawns three runs of itself, answers with what they answered; a child at the first level spawns one more. */
const spawner: Module = defineModule({
  ...minimalAction,
  state: () => ({ spawned: 0 }),
  act(ctx): Action | Promise<Action | undefined> | undefined {
    const plain = (): Promise<Action> => minimalAction.act?.(ctx as unknown as Ctx) as Promise<Action>
    if (ctx.depth === 2 || (ctx.depth === 1 && !ctx.path.endsWith('b'))) return plain()
    ctx.state.spawned += 1
    if (ctx.step > 1) return { kind: 'answer', answer: Object.values(ctx.children).map(({ answer }) => answer) }
    const ids = ctx.depth === 0 ? ['a', 'b', 'c'] : ['d']
    return {
      kind: 'spawn',
      calls: [{ id: 'own', name: 'look', arguments: '{"at":-1}' }],
      runs: ids.map((id) => ({ id, task: { instruction: `Be ${id}.` } })),
    }
  },
})

test('so does a tree of runs, whatever its children are doing', async () => {
  const { points, withChildren, faults } = await law({ action: spawner, plugins: [busy] }, 2)
  expect(faults).toEqual([])
  expect([points > 60, withChildren > 40]).toEqual([true, true])
})

test.each([
  ['of no version', {}],
  ['of another version', { version: 2, runs: {} }],
  ['in which no run has begun', { version: 1, runs: {} }],
  ['whose records are not whole', { version: 1, runs: { '': { opening: {} } } }],
  ['that is none', null],
])('a snapshot %s is refused as E_RUN_SNAPSHOT, before anything runs', async (_what, snapshot) => {
  const model = looking(1)
  const env = createEnvironment({ model, clock: createVirtualClock() })
  const harness = await assembleModules({}, env)

  await expect(harness.resume(snapshot as never)).rejects.toMatchObject({ code: 'E_RUN_SNAPSHOT' })
  expect(model.requests).toEqual([])
})
