import { expect, test } from 'vitest'
import type { HarnessEvent } from '../types/index.js'
import { EventStream } from './event-stream.js'

const at = { path: '', step: 1, at: 0 }
const warning = (message: string): HarnessEvent => ({ ...at, type: 'warning', message })
const aStream = (observe?: (event: HarnessEvent) => void): { stream: EventStream; warnings: string[] } => {
  const warnings: string[] = []
  return { stream: new EventStream(observe, (message) => warnings.push(message)), warnings }
}

async function messagesOf(events: AsyncIterable<HarnessEvent>): Promise<string[]> {
  const messages: string[] = []
  for await (const event of events) messages.push(event.type === 'warning' ? event.message : event.type)
  return messages
}

test('a reader gets every event from its start to the close, in order', async () => {
  const { stream } = aStream()
  const reading = messagesOf(stream.read(() => {}))
  stream.emit(warning('a'))
  await new Promise((resolve) => setImmediate(resolve))
  stream.emit(warning('b'))
  stream.emit(warning('c'))
  stream.close()

  expect(await reading).toEqual(['a', 'b', 'c'])
})

test('two readers at once each get every event', async () => {
  const { stream } = aStream()
  const readings = [messagesOf(stream.read(() => {})), messagesOf(stream.read(() => {}))]
  stream.emit(warning('a'))
  await new Promise((resolve) => setImmediate(resolve))
  stream.emit(warning('b'))
  stream.close()

  expect(await Promise.all(readings)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

test('nothing is read, and nothing is to be built, while nobody reads', () => {
  expect(aStream().stream.isRead).toBe(false)
  expect(aStream(() => {}).stream.isRead).toBe(true)
})

test('who leaves early is reported, who reads to the end is not', async () => {
  const left: string[] = []
  const { stream } = aStream()
  const early = (async () => {
    for await (const event of stream.read(() => left.push('early'))) if (event.type === 'warning') break
  })()
  const late = messagesOf(stream.read(() => left.push('late')))
  stream.emit(warning('a'))
  await early
  expect(left).toEqual(['early'])
  stream.close()
  await late

  expect(left).toEqual(['early'])
  expect(stream.isRead).toBe(false)
})

test('after the close a reader gets no event, and ends', async () => {
  const { stream } = aStream()
  stream.close()
  stream.emit(warning('late'))

  expect(await messagesOf(stream.read(() => {}))).toEqual([])
})

test('an event that comes after the close reaches nobody who had read to the end, yet a late warning reaches the observer', async () => {
  const seen: string[] = []
  const { stream } = aStream((event) => seen.push(event.type))
  const reading = messagesOf(stream.read(() => {}))
  stream.emit(warning('a'))
  stream.close()
  stream.emit({ ...at, type: 'step-start' })
  stream.emit(warning('a late result was discarded'))

  expect(await reading).toEqual(['a'])
  expect(seen).toEqual(['warning', 'warning'])
})

test('an observer that throws is reported once and not called again', () => {
  let calls = 0
  const { stream, warnings } = aStream(() => {
    calls++
    throw new Error('disk full')
  })
  stream.emit(warning('a'))
  stream.emit(warning('b'))

  expect(calls).toBe(1)
  expect(warnings).toEqual([expect.stringMatching(/observer.*disk full/)])
})

test('an asynchronous observer that fails is reported too, and ends nothing', async () => {
  const { stream, warnings } = aStream(async () => {
    throw new Error('socket closed')
  })
  stream.emit(warning('a'))
  stream.emit(warning('b'))
  await new Promise((resolve) => setImmediate(resolve))

  expect(warnings).toEqual([expect.stringMatching(/observer.*socket closed/)])
})

test('events are frozen to their leaves: no observer rewrites what is recorded', () => {
  const observation = { callId: 'a', tool: 'look', ok: true, content: 'x', data: { a: [1] } }
  const seen: HarnessEvent[] = []
  const { stream } = aStream((event) => seen.push(event))
  stream.emit({ ...at, type: 'tool-end', callId: 'a', tool: 'look', observation, ms: 0 })

  expect(Object.isFrozen(seen[0])).toBe(true)
  expect(Object.isFrozen(observation.data.a)).toBe(true)
})

test('a reader who comes late to a hundred thousand events reads them in little time', async () => {
  const { stream } = aStream()
  const reader = stream.read(() => {})
  const first = reader.next()
  for (let count = 0; count < 100_000; count++) stream.emit({ ...at, type: 'step-start' })
  stream.close()
  await first
  const before = performance.now()
  const rest = await messagesOf(reader)

  expect(rest).toHaveLength(99_999)
  expect(performance.now() - before).toBeLessThan(2_000)
})
