import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Bank, openBank } from '../src/index.js'
import { aHarness, anEvaluation, CELL } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()

async function aBank(name: string): Promise<Bank> {
  let now = 1_000
  return await openBank({ directory: directoryOf(name), index: 'sqlite', now: () => (now += 1) })
}

/** A bank with a champion, a retired harness, and runs of both. */
async function aFilledBank(name: string): Promise<Bank> {
  const bank = await aBank(name)
  await bank.addHarnesses([aHarness('good'), aHarness('old')])
  await bank.addHarnesses([aHarness('old', { status: 'retired' }), aHarness('good', { status: 'champion' })])
  await bank.addEvaluations([
    anEvaluation('g1', 'good', { at: 100 }),
    anEvaluation('g2', 'good', { at: 900 }),
    anEvaluation('o1', 'old', { at: 900 }),
  ])
  await bank.clusterOf({ taskId: 't1', text: 'Add up the prices', features: { sources: 2 } })
  await bank.openCell(CELL, { championId: 'sha256:good' })
  return bank
}

const know = async (bank: Bank): Promise<unknown> => [
  await bank.harnesses().then((rows) => rows.map(({ id, status, at }) => ({ id, status, at }))),
  await bank.stats(),
  await bank.holders(),
  await bank.clusters(),
]

test('a bank that is exported and imported elsewhere knows the same, and importing it again adds nothing', async () => {
  const bank = await aFilledBank('from')
  const file = directoryOf('export.jsonl')
  writeFileSync(file, [...bank.exportLines()].join(''))
  const other = await aBank('to')
  expect(await other.importFile(file)).toEqual({ added: 10, known: 0 })
  expect(await know(other)).toEqual(await know(bank))
  const again = await other.importFile(file)
  expect(again.added).toBe(0)
  expect(await know(other)).toEqual(await know(bank))
  await Promise.all([bank.close(), other.close()])
})

test('a file with a line that is no entry is refused as a whole, and the line is named', async () => {
  const bank = await aFilledBank('whole')
  const file = directoryOf('bad.jsonl')
  writeFileSync(file, `${[...bank.exportLines()].join('')}{"v":1,"kind":"evaluation","id":"x","at":1}`)
  const other = await aBank('empty')
  await expect(other.importFile(file)).rejects.toMatchObject({
    code: 'E_BANK_IMPORT',
    message:
      'Line 11 is no entry of a bank: clusterId is missing, expected a text of 1 to 500 characters. Nothing was taken.',
  })
  await expect(other.importFile(directoryOf('nowhere'))).rejects.toMatchObject({ code: 'E_BANK_IMPORT' })
  expect((await other.counts()).evaluations).toBe(0)
  await Promise.all([bank.close(), other.close()])
})

test('a prune drops retired harnesses with their runs, old runs and replaced states, and leaves the old log', async () => {
  const bank = await aFilledBank('pruned')
  const before = readFileSync(bank.logPath, 'utf8')
  const report = await bank.prune({ before: 500 })
  expect(report).toMatchObject({ kept: 5, dropped: 5 })
  expect(report.bytesAfter).toBeLessThan(report.bytesBefore)
  expect(existsSync(report.old)).toBe(true)
  expect(readFileSync(report.old, 'utf8')).toBe(before)
  expect(await bank.harnesses()).toMatchObject([{ id: 'sha256:good', status: 'champion' }])
  expect(await bank.stats()).toMatchObject([{ n: 1, harnessId: 'sha256:good' }])
  expect((await bank.evaluations({}, 10)).map(({ id }) => id)).toEqual(['g2'])
  await bank.close()
})

test('what another has open when a bank is pruned follows the new log', async () => {
  const bank = await aFilledBank('shared')
  const other = await openBank({ directory: bank.directory, index: 'memory', now: () => 5_000 })
  expect((await other.counts()).evaluations).toBe(3)
  await bank.prune()
  await other.addEvaluations([anEvaluation('n1', 'good')])
  await bank.refresh()
  for (const one of [bank, other]) {
    expect((await one.counts()).evaluations).toBe(3)
    expect((await one.harness('good')).status).toBe('champion')
  }
  await Promise.all([bank.close(), other.close()])
})

test('a harness is found by its id, the beginning of it, or its name; what fits several is refused', async () => {
  const bank = await aBank('named')
  await bank.addHarnesses([aHarness('abcd1', { name: 'one' }), aHarness('abcd2', { name: 'two' })])
  expect((await bank.harness('sha256:abcd1')).name).toBe('one')
  expect((await bank.harness('abcd2')).name).toBe('two')
  expect((await bank.harness('two')).id).toBe('sha256:abcd2')
  await expect(bank.harness('abcd')).rejects.toMatchObject({
    code: 'E_BANK_UNKNOWN',
    message: '"abcd" stands for 2 harnesses: sha256:abcd1 (one), sha256:abcd2 (two).',
  })
  await expect(bank.harness('x')).rejects.toMatchObject({ message: 'The bank has no harness "x".' })
  await bank.close()
})
