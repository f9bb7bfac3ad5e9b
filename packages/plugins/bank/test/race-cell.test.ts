import { expect, test } from 'vitest'
import { type Bank, type CellRace, type CellRaceOptions, openBank, type RunOf, raceCell } from '../src/index.js'
import { aHarness, anEvaluation, CELL } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
let opened = 0
let now = 0

/** A bank with two seeds and three others. */
async function aBank(): Promise<Bank> {
  const bank = await openBank({ directory: directoryOf(String(opened++)), index: 'memory', now: () => (now += 1_000) })
  const seeds = ['seed-a', 'seed-b'].map((name) => aHarness(name, { operator: 'seed' }))
  await bank.addHarnesses([...seeds, ...['first', 'second', 'third'].map((name) => aHarness(name))])
  return bank
}

interface Numbered {
  readonly id: string
  readonly index: number
}

const tasksOf = (count: number): readonly Numbered[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, index }))

/** What a harness comes to on the task of an index; null where the endpoint failed. */
type Rewards = Readonly<Record<string, (index: number) => number | null>>

/** Runs of harnesses that come to these rewards. What ran is written down. */
function runsOf(
  rewards: Rewards,
  usd: Readonly<Record<string, number>> = {},
): { readonly runOf: RunOf<Numbered>; readonly ran: string[] } {
  const ran: string[] = []
  return {
    ran,
    runOf: async (harnessId, task) => {
      const name = harnessId.replace('sha256:', '')
      ran.push(`${name} ${task.id}`)
      const reward = rewards[name]?.(task.index) ?? null
      return anEvaluation(`${name}-${task.id}-${opened}`, name, {
        taskId: task.id,
        reward,
        masked: reward === null,
        usd: (usd[name] ?? 0.01) + task.index * 1e-5,
      })
    },
  }
}

const always = () => 1
const never = () => 0
const firstOf = (count: number) => (index: number) => (index < count ? 1 : 0)

async function race(
  bank: Bank,
  options: Partial<CellRaceOptions<Numbered>> & Pick<CellRaceOptions<Numbered>, 'runOf'>,
): Promise<CellRace> {
  return await raceCell(bank, { cell: CELL, challengerIds: ['sha256:second'], tasks: tasksOf(24), ...options })
}

test('a better challenger becomes the champion, and every run and the decision are in the bank', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf, ran } = runsOf({ first: firstOf(10), second: always })
  const { decided, championId, opened: openedNow } = await race(bank, { runOf })
  expect(openedNow).toBeUndefined()
  expect(championId).toBe('sha256:first')
  expect(decided).toMatchObject([
    { challengerId: 'sha256:second', decision: { verdict: 'promote', numbers: { pairs: 20 } } },
  ])
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:second')
  expect((await bank.decisions()).map(({ verdict }) => verdict)).toEqual(['promote'])
  expect(ran.length).toBe(40) // champion and anchor are one harness, and run once
  expect(new Set(ran).size).toBe(40)
  expect((await bank.counts()).evaluations).toBe(40)
  await bank.close()
})

test('a cell without a champion begins with the better of the two best seeds', async () => {
  const bank = await aBank()
  const { runOf } = runsOf({ 'seed-a': firstOf(8), 'seed-b': firstOf(12), second: firstOf(12) })
  const { opened: openedNow, decided } = await race(bank, { runOf })
  expect(openedNow).toMatchObject({ championId: 'sha256:seed-b', anchorId: 'sha256:seed-b' })
  expect(openedNow?.measured.map(({ harnessId, reward }) => [harnessId, reward])).toEqual([
    ['sha256:seed-b', 0.6],
    ['sha256:seed-a', 0.4],
  ])
  expect(decided.map(({ decision }) => decision.verdict)).toEqual(['reject'])
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:seed-b')
  await bank.close()
})

test('with another version of the model, champion and anchor of the cell before are measured anew', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first', anchorId: 'sha256:third' })
  const cell = { ...CELL, backbone: 'sim-mid@2' }
  const { runOf } = runsOf({ 'seed-a': never, 'seed-b': never, first: firstOf(12), third: firstOf(9), second: never })
  const { opened: openedNow } = await race(bank, { cell, runOf })
  expect(openedNow).toMatchObject({ championId: 'sha256:first', anchorId: 'sha256:third' })
  expect(openedNow?.measured).toHaveLength(4)
  await bank.close()
})

test('a challenger that is dominated on three tasks does not race, and the bank knows why', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf, ran } = runsOf({ first: always, second: never }, { second: 0.02 })
  const { decided } = await race(bank, { runOf })
  expect(decided).toMatchObject([{ decision: { rule: 'screen', verdict: 'reject' } }])
  expect(ran.length).toBe(6)
  expect((await bank.decisions({ challengerId: 'sha256:second' }))[0]?.reason).toMatch(/^dominated by the champion/)
  await bank.close()
})

test('a race that nothing to come could save is over before its end', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf, ran } = runsOf({ first: always, second: never }, { second: 0.001 })
  const { decided } = await race(bank, { runOf })
  expect(decided).toMatchObject([{ decision: { rule: 'conservative', verdict: 'reject', numbers: { pairs: 15 } } }])
  expect(ran.length).toBe(30)
  await bank.close()
})

test('a task that the endpoint failed does not count, and another takes its place', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(10), second: (index) => (index === 4 || index === 5 ? null : 1) })
  const { decided } = await race(bank, { runOf })
  expect(decided).toMatchObject([{ decision: { verdict: 'promote', numbers: { pairs: 20, masked: 2 } } }])
  await bank.close()
})

test('a race that lacks pairs decides nothing', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(10), second: (index) => (index < 5 ? null : 1) })
  const { decided } = await race(bank, { runOf })
  expect(decided).toMatchObject([{ decision: { verdict: 'incomplete', numbers: { pairs: 19 } } }])
  expect(await bank.decisions()).toEqual([])
  await bank.close()
})

test('of several challengers one at most is promoted, and each has its decision', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(4), second: firstOf(18), third: always })
  const { decided } = await race(bank, {
    runOf,
    challengerIds: ['sha256:second', 'sha256:third', 'sha256:first', 'sha256:third'],
  })
  expect(decided.map(({ challengerId, decision }) => [challengerId, decision.verdict])).toEqual([
    ['sha256:second', 'reject'],
    ['sha256:third', 'promote'],
  ])
  expect((await bank.decisions()).length).toBe(2)
  await bank.close()
})

test('a champion that proves worse than the anchor gives its place to it', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first', anchorId: 'sha256:third' })
  const { runOf } = runsOf({ first: firstOf(6), third: firstOf(16), second: firstOf(6) })
  const { decided, demotion } = await race(bank, { runOf })
  expect(decided.map(({ decision }) => decision.verdict)).toEqual(['reject'])
  expect(demotion?.verdict).toBe('demote')
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:third')
  await bank.close()
})

test('the literal rule of the paper takes chance for progress', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(2), second: firstOf(2) }, { second: 0.0099 })
  const { decided } = await race(bank, { runOf, tasks: tasksOf(3), n: 3, rule: 'paper' })
  expect(decided).toMatchObject([{ decision: { rule: 'paper', verdict: 'promote' } }])
  await bank.close()
})

test.each([
  [
    'a task that is named twice',
    { tasks: [...tasksOf(19), ...tasksOf(1)] },
    '19 tasks of this kind, and the race is decided on 20',
  ],
  ['too few tasks', { tasks: tasksOf(19) }, '19 tasks of this kind, and the race is decided on 20'],
  ['the champion as its own challenger', { challengerIds: ['sha256:first'] }, 'it is the champion already'],
])('%s: there is no race, and nothing is decided', async (_what, options, refused) => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf, ran } = runsOf({})
  expect(await race(bank, { runOf, ...options })).toMatchObject({ refused, decided: [] })
  expect(ran).toEqual([])
  await bank.close()
})

test('after ten races in a week a kind of task has no more, until the first is a week old', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: always, second: never }, { second: 0.001 })
  for (let index = 0; index < 10; index += 1) expect((await race(bank, { runOf })).refused).toBeUndefined()
  expect((await race(bank, { runOf })).refused).toMatch(/^10 races of this kind/)
  now += 7 * 24 * 60 * 60 * 1_000
  expect((await race(bank, { runOf })).refused).toBeUndefined()
  await bank.close()
})

test('a race of which a run is ended decides nothing, keeps what was run, and waits for what is under way', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(10), second: always })
  let underWay = 0
  const ended: RunOf<Numbered> = async (harnessId, task) => {
    if (task.index === 7) throw new Error('interrupted')
    underWay += 1
    await new Promise(setImmediate)
    const evaluation = await runOf(harnessId, task)
    underWay -= 1
    return evaluation
  }
  await expect(race(bank, { runOf: ended })).rejects.toThrow('interrupted')
  expect(underWay).toBe(0)
  expect(await bank.decisions()).toEqual([])
  expect((await bank.counts()).evaluations).toBe(18) // all of the first two blocks but for the task that was ended
  await bank.close()
})

/** Two banks on one directory, as two processes have them. */
async function twoBanks(): Promise<readonly [Bank, Bank]> {
  const first = await aBank()
  return [first, await openBank({ directory: first.directory, index: 'memory', now: () => (now += 1_000) })]
}

test('a champion that another process promotes meanwhile is the one that is raced against', async () => {
  const [bank, other] = await twoBanks()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf, ran } = runsOf({ first: firstOf(4), second: firstOf(16), third: always })
  const meanwhile: RunOf<Numbered> = async (harnessId, task) => {
    if (task.index === 15 && harnessId === 'sha256:second')
      await other.openCell(CELL, { championId: 'sha256:third', anchorId: 'sha256:first' })
    return await runOf(harnessId, task)
  }
  const { championId, decided } = await race(bank, { runOf: meanwhile })
  expect(championId).toBe('sha256:third')
  expect(decided.map(({ decision }) => decision.verdict)).toEqual(['reject'])
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:third')
  expect((await bank.decisions()).map((one) => one.championId)).toEqual(['sha256:third'])
  expect(new Set(ran).size).toBe(ran.length) // nothing runs twice
  await Promise.all([bank.close(), other.close()])
})

test('a cell that another process opens meanwhile is not opened again', async () => {
  const [bank, other] = await twoBanks()
  const { runOf } = runsOf({ 'seed-a': firstOf(8), 'seed-b': firstOf(12), third: firstOf(14), second: never })
  let isOpen = false
  const meanwhile: RunOf<Numbered> = async (harnessId, task) => {
    if (!isOpen) await other.openCell(CELL, { championId: 'sha256:third' })
    isOpen = true
    return await runOf(harnessId, task)
  }
  const { championId, opened: openedNow } = await race(bank, { runOf: meanwhile })
  expect([championId, openedNow]).toEqual(['sha256:third', undefined])
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:third')
  await Promise.all([bank.close(), other.close()])
})

test('what was decided is told before the bank has it, and entries that are appended again change nothing', async () => {
  const bank = await aBank()
  await bank.openCell(CELL, { championId: 'sha256:first' })
  const { runOf } = runsOf({ first: firstOf(10), second: always })
  let kept: Parameters<NonNullable<CellRaceOptions<Numbered>['onDecided']>> | undefined
  const whole = await race(bank, { runOf, onDecided: (...told) => (kept = told) })
  expect(kept?.[0]).toEqual(whole)
  await bank.append(kept?.[1] ?? [])
  expect((await bank.counts()).decisions).toBe(1)
  expect((await bank.cell(CELL)).champion?.harnessId).toBe('sha256:second')
  await bank.close()
})
