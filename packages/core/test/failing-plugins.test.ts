import { describe, expect, test } from 'vitest'
import { createEnvironment, type Module, type RunResult } from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  ManualClock,
  minimalPlanning,
} from '../src/testkit/index.js'
import { aPlugin, aTool } from './one-run.js'

type Verbs = Parameters<typeof aPlugin>[0]

const fail = (): never => {
  throw new Error('the plugin is broken')
}

/** How a harness with the plugin ends: assembled or not, run or not. */
type How = 'manifest' | 'required'

async function outcome(how: How, verbs: Verbs): Promise<RunResult | Error> {
  const broken = aPlugin(verbs)
  const env = createEnvironment({
    model: createScriptedModel([{ call: 'look' }, 'done']),
    tools: [aTool('look')],
    clock: createVirtualClock(),
    ...(how === 'required' ? { required: [{ use: 'broken', module: broken }] } : {}),
  })
  const plugins: Module[] = how === 'manifest' ? [aPlugin({}), broken] : [aPlugin({})]
  // A planning module that throws once, so that the hook "error" has something to do.
  const planning = { ...minimalPlanning, direct: verbs.error === undefined ? minimalPlanning.direct : fail }
  return await assembleModules({ plugins, planning: planning as Module }, env)
    .then((harness) => harness.run('Do the task.').result)
    .catch((error: Error) => error)
}

const NAME = { manifest: '@test/modules#m', required: 'broken' }

/** Whether a text names the plugin that is broken and no other. */
function names(how: How, text: string | undefined): boolean {
  return how === 'required' ? text === NAME.required : (text?.startsWith('@test/modules#') ?? false)
}

const twelve: readonly (readonly [how: string, verbs: Verbs, code: string])[] = [
  ['throws when it is applied', { apply: fail }, 'E_RUN_MODULE'],
  ['is applied asynchronously', { apply: (async () => {}) as never }, 'E_PROTOCOL_MODULE'],
  [
    'taps one hook twice under one name',
    {
      apply(hooks) {
        hooks.record.tap('twice', () => {})
        hooks.record.tap('twice', () => {})
      },
    },
    'E_PROTOCOL_TAP',
  ],
  ['makes a state that is no JSON', { state: () => ({ at: new Date(0) }) as never }, 'E_PROTOCOL_STATE'],
  ['throws while it makes its tools', { tools: fail }, 'E_RUN_MODULE'],
  ['brings a tool whose name is taken', { tools: () => [aTool('look')] }, 'E_PROTOCOL_TOOL'],
  ['throws when the run starts', { start: fail }, 'E_RUN_MODULE'],
  ['throws in its part of the system prompt', { system: fail }, 'E_RUN_MODULE'],
  ['gives a view that is none', { view: () => ({ messages: 'none' }) as never }, 'E_PROTOCOL_VIEW'],
  ['gives null for a directive', { direct: () => null as never }, 'E_PROTOCOL_VALUE'],
  ['gives tools that are none', { select: () => ({ tools: {} }) as never }, 'E_PROTOCOL_CAPABILITIES'],
  ['acts as nothing known', { stage: 'early', act: () => ({ kind: 'jump' }) as never }, 'E_PROTOCOL_ACTION'],
  ['throws before a model call', { modelRequest: fail }, 'E_RUN_MODULE'],
  ['gives a reply that is none', { modelResponse: () => ({ text: 'x' }) as never }, 'E_PROTOCOL_VALUE'],
  ['throws where it guards a call', { toolCall: fail }, 'E_RUN_MODULE'],
  ['gives an observation that is none', { toolResult: () => ({ ok: true }) as never }, 'E_PROTOCOL_VALUE'],
  ['throws while it records', { record: fail }, 'E_RUN_MODULE'],
  ['throws at a checkpoint', { checkpoint: fail }, 'E_RUN_MODULE'],
]

describe.each<How>(['manifest', 'required'])('a plugin of the %s', (how) => {
  test.each(twelve)('that %s ends the run, or does not let it begin, and is named', async (_what, verbs, code) => {
    const end = await outcome(how, verbs)
    const error = end instanceof Error ? (end as Error & { code: string; module?: string }) : end.error

    expect(error?.code).toBe(code)
    // Two tools of one name are nobody's alone: both are named in the message.
    if (code === 'E_PROTOCOL_TOOL') expect(error?.message).toContain('look')
    else expect([error?.module, names(how, error?.module)]).toEqual([error?.module, true])
    if (!(end instanceof Error)) expect(end.status).toBe('failed')
  })

  test('that throws when the run ends is warned of, and the answer stays', async () => {
    const end = (await outcome(how, { end: fail })) as RunResult

    expect(end).toMatchObject({ status: 'answered', answer: 'done' })
    expect(end.warnings.join()).toMatch(/failed to end: .*the plugin is broken/)
  })

  test('that throws where it should recover leaves the error that it was asked about', async () => {
    const end = (await outcome(how, { error: fail })) as RunResult

    expect(end.error).toMatchObject({ code: 'E_RUN_MODULE', slot: 'planning' })
  })
})

describe('a plugin that only observes', () => {
  const hooks = twelve.filter(([, verbs]) =>
    Object.keys(verbs).some((verb) => !['state', 'tools', 'system', 'apply', 'stage', 'act'].includes(verb)),
  )
  test.each(hooks)('and %s is left out of that moment, and warned of', async (_what, verbs) => {
    const end = (await outcome('manifest', { ...verbs, observer: true })) as RunResult

    expect(end).toMatchObject({ status: 'answered', answer: 'done' })
    expect(end.warnings.length).toBeGreaterThan(0)
    expect(end.warnings.every((warning) => warning.includes('@test/modules#'))).toBe(true)
  })

  test('and throws when it is applied is left out, and warned of in every run', async () => {
    const end = (await outcome('manifest', { apply: fail, observer: true })) as RunResult

    expect(end).toMatchObject({ status: 'answered', warnings: [expect.stringMatching(/is left out: .*broken/)] })
  })

  test('fails closed all the same where the host requires it', async () => {
    const end = (await outcome('required', { record: fail, observer: true })) as RunResult

    expect(end).toMatchObject({ status: 'failed', error: { module: 'broken' } })
  })
})

test('a plugin that never settles is named, a while after the time of the run is over', async () => {
  const clock = new ManualClock()
  const stuck = aPlugin({ record: () => new Promise<void>(() => {}) })
  const env = createEnvironment({ model: createScriptedModel(['done']), clock, limits: { ms: 1_000 } })
  const harness = await assembleModules({ plugins: [aPlugin({ record: () => {} }), stuck] }, env)
  const run = harness.run('Do the task.')
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(10_999)
  const early = await Promise.race([run.result, new Promise((resolve) => setImmediate(() => resolve('running')))])
  clock.advance(1)

  expect(early).toBe('running')
  const { status, error } = await run.result
  expect([status, error?.code]).toEqual(['failed', 'E_RUN_MODULE'])
  expect(error?.message).toMatch(/^@test\/modules#\S+ has not settled/)
})
