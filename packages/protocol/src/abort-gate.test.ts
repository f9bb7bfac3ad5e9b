import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { AbortGate } from './abort-gate.js'

const never = (): Promise<never> => new Promise(() => {})
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error) => error.code ?? error.message,
  )

test('work that ends before the abort is passed on, with its value or its failure', async () => {
  const gate = new AbortGate()

  expect(await gate.guard(Promise.resolve(1))).toBe(1)
  expect(await codeOf(gate.guard(Promise.reject(new Error('broken'))))).toBe('broken')
})

test('an abort ends every wait at once, and says why', async () => {
  const gate = new AbortGate()
  const waits = [gate.guard(never()), gate.guard(never())]
  gate.abort('enough')

  for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: 'E_RUN_ABORTED', message: /enough/ })
  expect(gate.signal.aborted).toBe(true)
})

test("after an abort no work is waited for, and its failure is nobody else's", async () => {
  const gate = new AbortGate()
  gate.abort()

  expect(await codeOf(gate.guard(Promise.reject(new Error('late'))))).toBe('E_RUN_ABORTED')
})

test('K36: a signal that is aborted already aborts the gate from the start', async () => {
  const gate = new AbortGate(AbortSignal.abort(new Error('before')))

  expect(await codeOf(gate.guard(never()))).toBe('E_RUN_ABORTED')
})

test("K42: however many waits there are, the caller's signal has one listener, and none at the end", async () => {
  const { signal } = new AbortController()
  const gate = new AbortGate(signal)
  for (let count = 0; count < 500; count++) await gate.guard(Promise.resolve())
  for (let count = 0; count < 500; count++) void gate.guard(never())

  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  gate.close()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('K42: a signal has one listener however many gates it ends, until the last of them has left it', () => {
  const { signal } = new AbortController()
  const gates = Array.from({ length: 1_000 }, () => new AbortGate(signal))

  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  const [last, ...others] = gates
  for (const gate of others) gate.close()
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  last?.close()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('K42: a signal ends the gates that hear it in the order in which they came, and no other', () => {
  const [stop, other] = [new AbortController(), new AbortController()]
  const ended: string[] = []
  const named = (name: string, signal: AbortSignal): AbortGate => {
    const gate = new AbortGate(signal)
    gate.onAbort(() => ended.push(name))
    return gate
  }
  named('first', stop.signal)
  named('closed', stop.signal).close()
  named('of another signal', other.signal)
  named('last', stop.signal)
  stop.abort('enough')

  expect(ended).toEqual(['first', 'last'])
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  expect(getEventListeners(other.signal, 'abort')).toHaveLength(1)
})

test('an abort that comes from elsewhere takes the listener off too', () => {
  const { signal } = new AbortController()
  new AbortGate(signal).abort('enough')

  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('the first abort counts', async () => {
  const gate = new AbortGate()
  gate.abort('first')
  gate.abort('second')

  await expect(gate.guard(never())).rejects.toThrow('first')
})
