// What docs/guide/resume.md shows is copied from here.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createEnvironment,
  defineModule,
  type Harness,
  type Journal,
  questionsOf,
  type Snapshot,
} from '../src/index.js'
import { createFileJournal, readJournal } from '../src/node/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  minimalAction,
  resumeLaw,
} from '../src/testkit/index.js'
import { aTool } from './one-run.js'

const look = aTool('look', { idempotent: true })

/** Assembles the harness of a process, with its own model and clock. */
async function assembled(journal: Journal): Promise<Harness> {
  return (await fresh(journal)).harness
}

async function fresh(journal: Journal) {
  const model = createScriptedModel([
    ({ messages }) => (messages.some(({ role }) => role === 'tool') ? 'Seen.' : { call: 'look' }),
  ])
  const env = createEnvironment({ model, tools: [look], clock: createVirtualClock(), newId: () => 'run', journal })
  const action = defineModule({
    ...minimalAction,
    act: (ctx) =>
      ctx.step === 1
        ? { kind: 'ask', question: 'Which page?', schema: { type: 'integer' } }
        : (minimalAction.act?.(ctx as never) as never),
  })
  return { harness: await assembleModules({ action }, env), requests: model.requests }
}

test('a run is written to a file as it goes, waits for an answer, and goes on in another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resume-guide-'))
  const file = join(folder, 'journal.jsonl')
  try {
    const begin = async () => {
      // #region begin
      const journal = await createFileJournal(file)
      const harness = await assembled(journal)
      const { status, questions } = await harness.run('Look at the page.').result
      await journal.close()
      // #endregion begin
      return { status, questions }
    }
    expect(await begin()).toEqual({
      status: 'waiting',
      questions: [{ id: '#1', question: 'Which page?', schema: { type: 'integer' } }],
    })

    const goOn = async () => {
      // #region resume
      const snapshot = await readJournal(file)
      const journal = await createFileJournal(file)
      const harness = await assembled(journal)
      const run = await harness.resume(snapshot, { answers: { '#1': 7 } })
      const { status, answer } = await run.result
      await journal.close()
      // #endregion resume
      expect(questionsOf(snapshot)).toHaveLength(1)
      return { status, answer, text: JSON.stringify(run.snapshot()) }
    }
    const { text, ...ended } = await goOn()
    expect(ended).toEqual({ status: 'answered', answer: 'Seen.' })
    expect(JSON.parse(text) as Snapshot).toMatchObject(JSON.parse(JSON.stringify(await readJournal(file))) as object)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the law is a function of the testkit', async () => {
  const env = { ask: async () => 7 }
  const withPerson = async (journal: Journal) => {
    const made = createScriptedModel([
      ({ messages }) => (messages.some(({ role }) => role === 'tool') ? 'Seen.' : { call: 'look' }),
    ])
    const whole = createEnvironment({
      model: made,
      tools: [look],
      clock: createVirtualClock(),
      newId: () => 'run',
      journal,
      ...env,
    })
    return { harness: await assembleModules({}, whole), requests: made.requests }
  }
  // #region law
  const { points, faults } = await resumeLaw({ task: 'Look at the page.', fresh: withPerson })
  // #endregion law
  expect(faults).toEqual([])
  expect(points).toBeGreaterThan(3)
})
