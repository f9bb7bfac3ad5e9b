import { appendFileSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Bank, type IndexChoice, openBank } from '../src/index.js'
import { aHarness, anEvaluation, CELL } from './support/entries.js'
import { pgliteIndexes, START_MS, temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
const pgliteIndex = pgliteIndexes()
const KINDS = ['memory', 'sqlite', 'postgres'] as const

let opened = 0

/** A bank in a directory of its own, with a clock that goes on by a second each time it is read. */
async function aBank(kind: (typeof KINDS)[number], directory = directoryOf(`${kind}-${opened++}`)): Promise<Bank> {
  const index: IndexChoice = kind === 'postgres' ? await pgliteIndex() : kind
  let now = 1_000_000
  return await openBank({ directory, index, now: () => (now += 1_000) })
}

describe.each(KINDS)('a bank with its index in %s', { timeout: START_MS }, (kind) => {
  test('knows what was added, in sums for each harness and cell', async () => {
    const bank = await aBank(kind)
    expect(bank.indexKind).toBe(kind)
    await bank.addHarnesses([aHarness('plain'), aHarness('fancy')])
    await bank.addEvaluations([
      anEvaluation('e1', 'plain', { reward: 1 }),
      anEvaluation('e2', 'plain', { reward: 0.5, usd: null, rewardKind: 'judge' }),
      anEvaluation('e3', 'plain', { reward: null, masked: true, failureKind: 'E_MODEL_TIMEOUT' }),
      anEvaluation('e4', 'plain', { backbone: 'other@1' }),
    ])
    expect(await bank.counts()).toEqual({ harnesses: 2, evaluations: 4, decisions: 0, clusters: 0 })
    const [stats] = await bank.stats({ harnessId: 'sha256:plain', backbone: CELL.backbone })
    expect(stats).toMatchObject({
      ...CELL,
      n: 2,
      rewardSum: 1.5,
      rewardSquares: 1.25,
      judged: 1,
      masked: 1,
      usdN: 1,
      usdSum: 0.01,
      msN: 2,
      tokensSum: 2_000,
    })
    expect((await bank.harness('sha256:plain')).manifest).toEqual({ protocol: 1, name: 'plain' })
    expect((await bank.evaluations({ harnessId: 'sha256:plain' }, 2)).map(({ id }) => id)).toHaveLength(2)
    await bank.close()
  })

  test('an evaluation that is there already changes nothing, and the latest state of a harness counts', async () => {
    const bank = await aBank(kind)
    await bank.addEvaluations([anEvaluation('e1', 'plain'), anEvaluation('e1', 'plain', { reward: 0 })])
    await bank.addEvaluations([anEvaluation('e1', 'plain')])
    expect(await bank.stats()).toMatchObject([{ n: 1, rewardSum: 1 }])
    await bank.addHarnesses([aHarness('plain', { at: 5 }), aHarness('plain', { at: 9, status: 'confirmed' })])
    await bank.addHarnesses([aHarness('plain', { at: 7, status: 'retired' })])
    expect(await bank.harnesses()).toMatchObject([{ name: 'plain', status: 'confirmed' }])
    await bank.close()
  })

  test('a bank that is opened again, and one whose index was made anew, know the same', async () => {
    const directory = directoryOf(`again-${kind}`)
    const bank = await aBank(kind, directory)
    await bank.addHarnesses([aHarness('plain')])
    await bank.openCell(CELL, { championId: 'sha256:plain' })
    await bank.addEvaluations([anEvaluation('e1', 'plain', { reward: 0.25 })])
    await bank.clusterOf({ taskId: 't1', text: 'Add up the prices of all quotes', features: { sources: 3 } })
    const know = async (one: Bank): Promise<unknown> => [
      await one.counts(),
      await one.stats(),
      await one.holders(),
      await one.clusters(),
      await one.harnesses(),
    ]
    const before = await know(bank)
    await bank.rebuild()
    expect(await know(bank)).toEqual(before)
    await bank.close()
    const again = await aBank(kind, directory)
    expect(await know(again)).toEqual(before)
    await again.close()
  })

  test('a line that was cut short is set aside and said, and nothing else is lost', async () => {
    const directory = directoryOf(`torn-${kind}`)
    const bank = await aBank(kind, directory)
    await bank.addEvaluations([anEvaluation('e1', 'plain')])
    appendFileSync(bank.logPath, '\n{"v":1,"kind":"evaluation","id":"e2","harn')
    await bank.addEvaluations([anEvaluation('e3', 'plain')])
    expect(await bank.setAside()).toMatchObject([{ bytes: 43, reason: 'no JSON' }])
    expect((await bank.counts()).evaluations).toBe(2)
    expect(readFileSync(bank.logPath, 'utf8')).toContain('"id":"e2","harn')
    await bank.close()
  })
})
