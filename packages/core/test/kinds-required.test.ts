import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Action, type Ctx, createEnvironment, defineModule, type Module } from '../src/index.js'
import { assembleModules, createScriptedModel, createVirtualClock, minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

/** A run with a plugin that the host requires, and whether the thing that it guards was done. */
async function guarded(module: Module, more: { with?: object; action?: Module } = {}) {
  let wiped = 0
  const wipe = aTool('wipe', { execute: () => `wiped ${++wiped}` })
  const model = createScriptedModel([{ call: 'wipe' }, 'done'])
  const given = more.with === undefined ? {} : { with: more.with as never }
  const env = createEnvironment({
    model,
    tools: [wipe],
    clock: createVirtualClock(),
    strict: true,
    required: [{ use: '@host/guard', module, ...given }],
  })
  const outcome = await assembleModules(more.action === undefined ? {} : { action: more.action }, env)
    .then((harness) => harness.run('Wipe the disk.').result)
    .catch((error: { code?: string; message: string; module?: string }) => error)
  return { outcome, wiped: () => wiped, model }
}

const denies = { toolCall: () => ({ deny: true, reason: 'the host forbids it' }) as const }

describe('a plugin that the host requires', () => {
  test('K69: guards a harness whose manifest does not name it', async () => {
    const { outcome, wiped } = await guarded(aPlugin(denies))

    expect(wiped()).toBe(0)
    expect(outcome).toMatchObject({
      status: 'answered',
      steps: [{ observations: [{ ok: false, error: { code: 'E_TOOL_DENIED' } }] }, {}],
    })
  })

  test('K69: guards the child runs too, whatever harness they have', async () => {
    const action = defineModule({
      ...minimalAction,
      act: (ctx): Promise<Action> | Action => {
        if (ctx.depth > 0) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
        if (ctx.step > 1) return { kind: 'answer', answer: 'done' }
        return {
          kind: 'spawn',
          runs: [{ id: 'a', task: { instruction: 'Wipe.' }, harness: { extends: 'self', plugins: [] } }],
        }
      },
    })
    const { outcome, wiped } = await guarded(aPlugin(denies), { action })

    expect(wiped()).toBe(0)
    expect(outcome).toMatchObject({ status: 'answered', children: { '1.a': { status: 'answered' } } })
  })

  const strictOptions = z.strictObject({ folder: z.string().describe('What is guarded.') })
  test.each<[string, Module, object | undefined]>([
    ['whose options are wrong', aPlugin({ ...denies, options: strictOptions as never }), { floder: '/' }],
    [
      'that throws while it is applied',
      aPlugin({
        apply() {
          throw new Error('no rules were found')
        },
      }),
      undefined,
    ],
    [
      'that throws while it is applied, though it says that it only watches',
      aPlugin({
        observer: true,
        apply() {
          throw new Error('no rules were found')
        },
      }),
      undefined,
    ],
    [
      'that throws when the run starts',
      aPlugin({
        ...denies,
        start() {
          throw new Error('no rules were found')
        },
      }),
      undefined,
    ],
    [
      'that throws when it is asked',
      aPlugin({
        toolCall() {
          throw new Error('no rules were found')
        },
      }),
      undefined,
    ],
    [
      'that says what is neither leave nor refusal',
      aPlugin({ toolCall: () => ({ allowed: 'yes' }) as never }),
      undefined,
    ],
  ])('K69: %s leaves nothing open: what it guards is not done, and its name is told', async (_, module, options) => {
    const { outcome, wiped } = await guarded(module, options === undefined ? {} : { with: options })

    expect(wiped()).toBe(0)
    expect(outcome).not.toMatchObject({ status: 'answered' })
    expect(JSON.stringify({ ...outcome, message: (outcome as Error).message })).toContain('@host/guard')
  })

  test('K69: that is no module lets no run begin, and is told as E_PROTOCOL_LOAD', async () => {
    const { outcome, wiped } = await guarded(undefined as never)

    expect(wiped()).toBe(0)
    expect(outcome).toMatchObject({ code: 'E_PROTOCOL_LOAD', module: '@host/guard' })
  })

  test('K69: that did not load leaves no harness that could run', async () => {
    const { outcome, wiped, model } = await guarded(undefined as never)

    expect(outcome).toBeInstanceOf(Error)
    expect([wiped(), model.requests.length]).toEqual([0, 0])
  })
})
