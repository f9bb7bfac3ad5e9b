import { HarnessError } from '@harnesswright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StageName } from '../module/module.js'
import { addTap, createHooks, type HookName, type Hooks, hookNames, hookPoints } from './hooks.js'
import { STAGES } from './stages.js'

const turn = { step: 3, path: '' }
const owner = { slot: 'plugin', module: '@test/one#plugin' }
const openHooks = (): Hooks => createHooks(() => false)
const tapped = (name: HookName, fn: (...args: never[]) => unknown): Hooks => {
  const hooks = openHooks()
  addTap(hooks, name, { ...owner, name: 'plugin.0' }, fn)
  return hooks
}

test('the names of the hooks are those of the protocol', () => {
  expect(hookNames(openHooks())).toEqual([
    'memory',
    'planning',
    'capability',
    'action',
    'record',
    'finish',
    'runStart',
    'runEnd',
    'modelRequest',
    'modelResponse',
    'toolCall',
    'toolResult',
    'error',
    'checkpoint',
  ])
})

test('taps run by stage, and those of one stage in the order in which they were made', async () => {
  const stages = fc.array(fc.constantFrom(...(Object.keys(STAGES) as StageName[])), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(stages, async (list) => {
      const hooks = openHooks()
      const ran: number[] = []
      for (const [index, stage] of list.entries())
        addTap(hooks, 'runStart', { ...owner, name: `tap ${index}`, stage }, () => void ran.push(index))

      await hooks.runStart.promise(turn)

      const ranks = Object.keys(STAGES)
      const expected = [...list.entries()].sort(([a, x], [b, y]) => ranks.indexOf(x) - ranks.indexOf(y) || a - b)
      expect(ran).toEqual(expected.map(([index]) => index))
    }),
  )
})

test('a waterfall hands each tap what the one before returned, and undefined leaves it as it is', async () => {
  const hooks = openHooks()
  addTap(hooks, 'planning', { ...owner, name: 'a' }, (d: { text: string }) => ({ text: `${d.text}a` }))
  addTap(hooks, 'planning', { ...owner, name: 'b' }, () => undefined)
  addTap(hooks, 'planning', { ...owner, name: 'c' }, async (d: { text: string }) => ({ text: `${d.text}c` }))

  expect(await hooks.planning.promise({ text: '-' }, turn)).toEqual({ text: '-ac' })
})

test('a bail hook stops at the first value that is not undefined, also at one that is falsy', async () => {
  const hooks = openHooks()
  const asked: string[] = []
  for (const [name, answer] of [
    ['a', undefined],
    ['b', 0],
    ['c', 1],
  ] as const) {
    addTap(hooks, 'finish', { ...owner, name }, () => {
      asked.push(name)
      return answer
    })
  }

  expect(await hooks.finish.promise('steps', turn)).toBe(0)
  expect(asked).toEqual(['a', 'b'])
})

test('two taps of one name in one hook are refused, and in two hooks are not', () => {
  const hooks = tapped('record', () => {})

  expect(() => addTap(hooks, 'record', { ...owner, name: 'plugin.0' }, () => {})).toThrow(
    expect.objectContaining({ code: 'E_PROTOCOL_TAP', module: owner.module, message: expect.stringMatching(/taken/) }),
  )
  addTap(hooks, 'runEnd', { ...owner, name: 'plugin.0' }, () => {})
})

test('a frozen harness takes no further tap', () => {
  let isFrozen = false
  const hooks = createHooks(() => isFrozen)
  const points = hookPoints(hooks, { ...owner, key: 'plugin.0' })
  points.record.tap('before', () => {})
  isFrozen = true

  expect(() => points.record.tap('after', () => {})).toThrow(
    expect.objectContaining({ code: 'E_PROTOCOL_TAP', message: expect.stringMatching(/frozen/) }),
  )
})

test('a plugin can tap and not call, and asks for a name and a named stage only', () => {
  const { record } = hookPoints(openHooks(), { ...owner, key: 'plugin.0' })

  expect(Object.keys(record)).toEqual(['tap'])
  for (const options of [
    { name: 'a', before: 'b' },
    { name: 'a', stage: -5 },
    { name: 'a', stage: 'toString' },
  ]) {
    // What a plugin written in JavaScript may hand over.
    expect(() => record.tap(options as { name: string }, () => {})).toThrow(
      expect.objectContaining({ code: 'E_PROTOCOL_TAP', message: expect.stringMatching(/guard, early, normal/) }),
    )
  }
})

test.each(hookNames(openHooks()))('null is refused in "%s", with the name of the module', async (name) => {
  const hooks = tapped(name, () => null)
  const call = hooks[name] as unknown as { promise(...args: unknown[]): Promise<unknown> } // one call for all hooks
  const args = name === 'action' || name === 'runStart' ? [turn] : [{}, turn]

  await expect(call.promise(...args)).rejects.toMatchObject({
    code: 'E_PROTOCOL_VALUE',
    slot: 'plugin',
    module: owner.module,
    step: 3,
    message: expect.stringContaining(name),
  })
})

test('what a tap throws names slot, module, hook and step, and keeps the cause', async () => {
  const cause = new TypeError('x is not a function')
  const hooks = tapped('record', () => {
    throw cause
  })

  await expect(hooks.record.promise({} as never, turn)).rejects.toMatchObject({
    code: 'E_RUN_MODULE',
    slot: 'plugin',
    module: owner.module,
    step: 3,
    message: '@test/one#plugin threw in "record": x is not a function',
    cause,
  })
})

test('a coded error keeps its code, and gets the module and the step that it does not name', async () => {
  const thrown = new HarnessError('E_ONE_SOURCE', { message: 'no source', hint: 'add one', details: { n: 1 } })
  const hooks = tapped('record', async () => {
    throw thrown
  })

  await expect(hooks.record.promise({} as never, turn)).rejects.toMatchObject({
    code: 'E_ONE_SOURCE',
    message: 'no source',
    hint: 'add one',
    details: { n: 1 },
    slot: 'plugin',
    module: owner.module,
    step: 3,
    cause: thrown,
  })
})

test.each(['E_RUN_LIMIT', 'E_RUN_ABORTED', 'E_RUN_EMPTY_REPLY', 'E_MODEL_AUTH'])(
  "%s is nobody's fault: it passes through a tap as it is",
  async (code) => {
    const thrown = new HarnessError(code)
    const hooks = tapped('record', () => {
      throw thrown
    })

    await expect(hooks.record.promise({} as never, turn)).rejects.toBe(thrown)
  },
)

test.each([undefined, null, 'text', 0, Object.create(null)])('a tap may throw %o, and is named', async (thrown) => {
  const hooks = tapped('record', () => {
    throw thrown
  })

  await expect(hooks.record.promise({} as never, turn)).rejects.toMatchObject({
    code: 'E_RUN_MODULE',
    module: owner.module,
  })
})

test('an error tap recovers with a value of the hook, and is asked once per error', async () => {
  const asked: Error[] = []
  const hooks = tapped('planning', () => {
    throw new Error('broken')
  })
  addTap(hooks, 'error', { ...owner, name: 'rescue' }, (error: Error) => {
    asked.push(error)
    return { value: { text: 'go on' } }
  })

  expect(await hooks.planning.promise({ text: '' }, turn)).toEqual({ text: 'go on' })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ code: 'E_RUN_MODULE', module: owner.module })
})

test('an error that passes through two taps is asked about once', async () => {
  let asked = 0
  const hooks = tapped('modelRequest', () => {
    throw new Error('broken')
  })
  addTap(
    hooks,
    'action',
    { ...owner, name: 'act' },
    (at: typeof turn) => hooks.modelRequest.promise({} as never, at) as never,
  )
  addTap(hooks, 'error', { ...owner, name: 'rescue' }, () => {
    asked++
    return undefined
  })

  await expect(hooks.action.promise(turn)).rejects.toMatchObject({ message: expect.stringMatching(/"modelRequest"/) })
  expect(asked).toBe(1)
})

test.each(['E_RUN_LIMIT', 'E_RUN_ABORTED', 'E_TOOL_DENIED'])('an error tap is never asked about %s', async (code) => {
  let asked = 0
  const hooks = tapped('record', () => {
    throw new HarnessError(code)
  })
  addTap(hooks, 'error', { ...owner, name: 'rescue' }, () => {
    asked++
    return { value: undefined }
  })

  await expect(hooks.record.promise({} as never, turn)).rejects.toMatchObject({ code })
  expect(asked).toBe(0)
})

test('null is no recovery either', async () => {
  const hooks = tapped('planning', () => {
    throw new Error('broken')
  })
  addTap(hooks, 'error', { ...owner, name: 'rescue' }, () => ({ value: null }))

  await expect(hooks.planning.promise({ text: '' }, turn)).rejects.toMatchObject({ code: 'E_PROTOCOL_VALUE' })
})

test('an error tap that itself fails does not hide what it was asked about', async () => {
  const hooks = tapped('record', () => {
    throw new Error('the first fault')
  })
  addTap(hooks, 'error', { slot: 'plugin', module: '@test/rescue', name: 'rescue' }, () => {
    throw new Error('the second fault')
  })

  await expect(hooks.record.promise({} as never, turn)).rejects.toMatchObject({
    module: owner.module,
    message: expect.stringMatching(/the first fault/),
    details: { recovery: expect.stringMatching(/@test\/rescue.*the second fault/) },
  })
})
