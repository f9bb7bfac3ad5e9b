import { describe, expect, test } from 'vitest'
import { type Bank, CLUSTER_RADIUS, openBank, taskRecord } from '../src/index.js'
import { aHarness, anEvaluation, CELL } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
let opened = 0

const QUOTES = {
  taskId: 'q1',
  text: 'Add up the prices of all quotes in the folder',
  features: { sources: 4, depth: 1 },
}
const LOGS = {
  taskId: 'l1',
  text: 'Find the error that the long log of the server reports',
  features: { sources: 60, depth: 1 },
}

async function aBank(): Promise<Bank> {
  let now = 0
  return await openBank({ directory: directoryOf(String(opened++)), index: 'memory', now: () => (now += 1) })
}

/** A bank with two kinds of tasks, a champion of each, two seeds, and a few others. */
async function aFilledBank(): Promise<{ readonly bank: Bank; readonly quotes: string; readonly logs: string }> {
  const bank = await aBank()
  const quotes = (await bank.clusterOf(QUOTES)).cluster.id
  const logs = (await bank.clusterOf(LOGS)).cluster.id
  await bank.addHarnesses([
    aHarness('react', { operator: 'seed', card: 'one step at a time' }),
    aHarness('planner', { operator: 'seed', card: 'a plan first' }),
    aHarness('adder', { card: 'adds up prices of quotes' }),
    aHarness('folder', { card: 'goes through every folder of quotes' }),
    aHarness('digger', { card: 'searches the log of a server for an error' }),
    aHarness('gone', { card: 'adds up prices of quotes', status: 'retired' }),
  ])
  const run = (id: string, name: string, clusterId: string, reward: number, usd = 0.01) =>
    Array.from({ length: 8 }, (_, index) =>
      anEvaluation(`${id}${index}`, name, { clusterId, taskId: `${id}${index}`, reward, usd }),
    )
  await bank.addEvaluations([
    ...run('a', 'adder', quotes, 1),
    ...run('f', 'folder', quotes, 0),
    ...run('d', 'digger', logs, 1),
    ...run('r', 'react', quotes, 0.5),
  ])
  await bank.openCell({ ...CELL, clusterId: quotes }, { championId: 'sha256:adder' })
  await bank.openCell({ ...CELL, clusterId: logs }, { championId: 'sha256:digger' })
  return { bank, quotes, logs }
}

const ask = (fields: object = {}) => ({ ...QUOTES, taskId: 'q2', backbone: CELL.backbone, ...fields })

describe('references for a task', () => {
  test('are the champions of the two nearest clusters, what is similar, a pick of few runs, and a seed', async () => {
    const { bank } = await aFilledBank()
    const references = await bank.retrieve(ask())
    expect(references.map(({ name, pick }) => [name, pick])).toEqual([
      ['adder', 'champion'],
      ['digger', 'champion'],
      ['folder', 'similar'],
      ['react', 'exploration'],
      ['planner', 'seed'],
    ])
    expect(references[0]).toMatchObject({
      harnessId: 'sha256:adder',
      manifest: { protocol: 1, name: 'adder' },
      card: 'adds up prices of quotes',
      measured: { runs: 8, reward: 1, ms: 1_000, tokens: 1_000, usd: 0.01 },
      why: 'champion of the cluster "Add up the prices of all quotes in the folder"',
    })
    await bank.close()
  })

  test('never name a harness that was evaluated on the very same task, unless it is asked for', async () => {
    const { bank } = await aFilledBank()
    const names = async (fields: object): Promise<readonly string[]> =>
      (await bank.retrieve(ask(fields))).map(({ name }) => name)
    expect(await names({ taskId: 'a3' })).not.toContain('adder')
    expect(await names({ taskId: 'a3', excludeSameTask: false })).toContain('adder')
    await bank.close()
  })

  test('never name what is retired, and are at most k', async () => {
    const { bank } = await aFilledBank()
    expect((await bank.retrieve(ask({ k: 20 }))).map(({ name }) => name)).not.toContain('gone')
    expect(await bank.retrieve(ask({ k: 2 }))).toHaveLength(2)
    expect(await bank.retrieve(ask({ k: 0 }))).toHaveLength(0)
    await bank.close()
  })

  test('say nothing measured with another model', async () => {
    const { bank } = await aFilledBank()
    const references = await bank.retrieve(ask({ backbone: 'other@1' }))
    expect(references.length).toBeGreaterThan(0)
    expect(references.every(({ measured, pick }) => measured === null && pick !== 'champion')).toBe(true)
    await bank.close()
  })

  test('what was measured on other tasks alone says so', async () => {
    const { bank } = await aFilledBank()
    const digger = (await bank.retrieve(ask())).find(({ name }) => name === 'digger')
    expect(digger?.measured).toMatchObject({ runs: 8, reward: 1, clusterId: null })
    await bank.close()
  })

  test('of a new bank are its seeds', async () => {
    const bank = await aBank()
    expect(await bank.retrieve(ask())).toEqual([])
    await bank.addHarnesses([aHarness('react', { operator: 'seed' }), aHarness('planner', { operator: 'seed' })])
    expect((await bank.retrieve(ask())).map(({ name }) => name).sort()).toEqual(['planner', 'react'])
    await bank.close()
  })
})

describe('clusters', () => {
  test('a task like another belongs to its cluster, and stands for it too', async () => {
    const { bank, quotes } = await aFilledBank()
    const like = {
      taskId: 'q9',
      text: 'Add up the prices of all the quotes in this folder',
      features: { sources: 5, depth: 1 },
    }
    const found = await bank.clusterOf(like)
    expect(found).toMatchObject({ isNew: false, cluster: { id: quotes } })
    expect(found.distance).toBeLessThan(CLUSTER_RADIUS)
    expect(found.cluster.exemplars.map(({ taskId }) => taskId)).toEqual(['q1', 'q9'])
    expect(await bank.clusters()).toHaveLength(2)
    await bank.close()
  })

  test('a task unlike all founds one, which is the same whoever founds it', async () => {
    const [one, other] = [await aBank(), await aBank()]
    const found = await one.clusterOf(QUOTES)
    expect(found).toMatchObject({ isNew: true, distance: 0 })
    expect((await other.clusterOf(QUOTES)).cluster.id).toBe(found.cluster.id)
    expect((await one.clusterOf(LOGS)).isNew).toBe(true)
    await Promise.all([one.close(), other.close()])
  })

  test('features are flattened to a plain record', () => {
    expect(
      taskRecord({ files: 3, budget: { usd: null, steps: 4 }, hasReadTool: true, names: ['x'], rest: Number.NaN }),
    ).toEqual({
      files: 3,
      'budget.usd': null,
      'budget.steps': 4,
      hasReadTool: true,
    })
  })
})
