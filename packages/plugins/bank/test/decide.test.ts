import { expect, test } from 'vitest'
import {
  type Bank,
  type Cell,
  decideDemotion,
  decideRace,
  openBank,
  type RaceRun,
  type RaceTask,
} from '../src/index.js'
import { aHarness, CELL } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
let opened = 0
let now = 0

async function aBank(): Promise<Bank> {
  const bank = await openBank({ directory: directoryOf(String(opened++)), index: 'memory', now: () => (now += 1_000) })
  await bank.addHarnesses(['first', 'second', 'third'].map((name) => aHarness(name)))
  await bank.openCell(CELL, { championId: 'sha256:first' })
  return bank
}

const run = (reward: number, usd = 0.01): RaceRun => ({ reward, usd, ms: null })

/** Tasks in which the challenger wins all, cheaply, and the champion so many. */
function tasksOf(
  n: number,
  { champion, anchor = champion }: { readonly champion: number; readonly anchor?: number },
): readonly RaceTask[] {
  return Array.from({ length: n }, (_, index) => {
    const held = run(index < champion ? 1 : 0)
    return {
      taskId: `t${index}`,
      challenger: run(1, 0.005 + index * 1e-5),
      champion: held,
      anchor: anchor === champion ? held : run(index < anchor ? 1 : 0),
    }
  })
}

const who = (challengerId: string, championId: string, anchorId: string, cell: Cell = CELL) => ({
  cell,
  challengerId: `sha256:${challengerId}`,
  championId: `sha256:${championId}`,
  anchorId: `sha256:${anchorId}`,
})

test('a promoted challenger becomes the champion, and the decision says why', async () => {
  const bank = await aBank()
  const decision = decideRace({ n: 20, tasks: tasksOf(20, { champion: 12 }) })
  const [id] = await bank.decide([{ ...who('second', 'first', 'first'), decision }])
  const { champion, anchor } = await bank.cell(CELL)
  expect(champion).toMatchObject({ harnessId: 'sha256:second', evidenceId: id })
  expect(anchor).toMatchObject({ harnessId: 'sha256:first', evidenceId: null })
  const [stored] = await bank.decisions({ challengerId: 'sha256:second' })
  expect(stored).toMatchObject({ id, verdict: 'promote', reason: decision.reason, numbers: { pairs: 20, margin: 0.1 } })
  await bank.close()
})

test('a champion that proves itself in the first race it defends becomes the anchor, and is not asked again', async () => {
  const bank = await aBank()
  await bank.decide([
    {
      ...who('second', 'first', 'first'),
      decision: decideRace({ n: 20, tasks: tasksOf(20, { champion: 12 }) }),
    },
  ])
  expect(await bank.isFirstRaceOfChampion(CELL)).toBe(true)
  const tasks = tasksOf(40, { champion: 38, anchor: 20 })
  const race = { n: 40, tasks, isFirstOfChampion: await bank.isFirstRaceOfChampion(CELL) }
  await bank.decide([{ ...who('third', 'second', 'first'), decision: decideRace(race) }])
  expect((await bank.cell(CELL)).anchor?.harnessId).toBe('sha256:second')
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:third')
  expect(await bank.isFirstRaceOfChampion(CELL)).toBe(true)
  await bank.close()
})

test('a champion that is demoted gives its place to the anchor', async () => {
  const bank = await aBank()
  await bank.decide([
    {
      ...who('second', 'first', 'first'),
      decision: decideRace({ n: 20, tasks: tasksOf(20, { champion: 12 }) }),
    },
  ])
  const decision = decideDemotion(tasksOf(20, { champion: 4, anchor: 15 }))
  await bank.decide([{ ...who('second', 'second', 'first'), decision }])
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:first')
  expect((await bank.decisions({ challengerId: 'sha256:second' }))[0]?.verdict).toBe('demote')
  await bank.close()
})

test('another version of a model, of prices or of the protocol is a cell of its own, in which nobody stands yet', async () => {
  const bank = await aBank()
  for (const other of [{ backbone: 'sim-mid@2' }, { priceTable: '2026-12' }, { protocol: 2 }])
    expect(await bank.cell({ ...CELL, ...other })).toEqual({ champion: undefined, anchor: undefined })
  expect(await bank.toMeasure({ ...CELL, backbone: 'sim-mid@2' })).toEqual([
    { harnessId: 'sha256:first', why: 'champion and anchor of the cell before' },
  ])
  await bank.close()
})

test('the races of a cluster in a week are counted', async () => {
  const bank = await aBank()
  expect(await bank.racesLeft(CELL.clusterId)).toBe(10)
  await bank.decide([
    {
      ...who('second', 'first', 'first'),
      decision: decideRace({ n: 20, tasks: tasksOf(20, { champion: 12 }) }),
    },
  ])
  expect(await bank.racesLeft(CELL.clusterId)).toBe(9)
  expect(await bank.racesLeft('other')).toBe(10)
  await bank.close()
})
