import { createEnvironment, type Snapshot, type Tool } from '@harnesswright/core'
import { assembleModules, createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import { action, capability, memory, planning } from '@harnesswright/seed-react'
import { expect, test, vi } from 'vitest'

/** A harness of this seed in a process that starts on a day in a folder. */
async function aProcess(day: string, folder: string, script: readonly Script[], tools: readonly Tool[]) {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  vi.setSystemTime(new Date(day))
  const model = createScriptedModel(script)
  const env = createEnvironment({ model, tools, clock: createVirtualClock(Date.parse(day)), strict: true })
  return { harness: await assembleModules({ memory, planning, capability, action }, env), model }
}

test('K61: a run that goes on at another date and in another folder sends what it sent before', async () => {
  let snapshot: Snapshot | undefined
  const read: Tool = {
    name: 'read',
    description: 'Reads.',
    parameters: { type: 'object' },
    idempotent: true,
    execute: () => 'a page',
  }
  const stop: Tool = {
    ...read,
    name: 'stop',
    execute: () => (snapshot === undefined ? new Promise(() => {}) : 'stopped'),
  }
  const tools = [read, stop]
  try {
    const first = await aProcess('2026-01-31T12:00:00Z', '/home/first', [{ call: 'read' }, { call: 'stop' }], tools)
    const run = first.harness.run('Read the pages.')
    for await (const event of run) {
      if (event.type !== 'tool-start' || event.tool !== 'stop') continue
      snapshot = run.snapshot()
      break
    }
    await run.result
    const second = await aProcess('2026-02-01T12:00:00Z', '/srv/second', ['done'], tools)
    const result = await (await second.harness.resume(snapshot as Snapshot)).result

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    const before = first.model.requests.at(-1)
    const after = second.model.requests[0]
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
    expect(after?.tools).toEqual(before?.tools)
    expect(after?.session).toBe(before?.session)
  } finally {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})
