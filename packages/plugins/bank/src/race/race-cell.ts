import type { Bank } from '../bank.js'
import type { Cell, Entry } from '../log/entry.js'
import type { DemotionDecision } from '../rule/demotion.js'
import { DEFAULT_RACE_PAIRS, RACES_PER_WEEK } from '../rule/settings.js'
import { type DecidedChallenger, Field } from './field.js'
import { type OpenedCell, openCellFor } from './first-holders.js'
import { RaceRuns, type RunOf } from './race-runs.js'

/** Who races for a cell, and on what. */
export interface CellRaceOptions<Task extends { readonly id: string }> {
  readonly cell: Cell
  /** Harnesses of the bank whose manifests are valid. Several are a batch, of which one at most is promoted. */
  readonly challengerIds: readonly string[]
  /** Tasks of the cell's cluster, in the order in which they are set. Those behind the n-th take the place of masked ones. */
  readonly tasks: readonly Task[]
  /**
   * Makes a run afresh, of this race alone: for a task with the same random seed and limits, whichever harness. It may be asked
   * for several at once.
   */
  readonly runOf: RunOf<Task>
  /** Pairs on which the race is decided. Default 20. */
  readonly n?: number
  /**
   * Called with what was decided and its entries before the bank has them. Who keeps both, and appends the entries again where the
   * process was ended in between, has each decision once.
   */
  readonly onDecided?: (race: CellRace, entries: readonly Entry[]) => void
  /** `paper` is the literal rule of arXiv 2608.25593, for comparison. Default `conservative`. */
  readonly rule?: 'conservative' | 'paper'
}

/** What came of a race for a cell. */
export interface CellRace {
  readonly cell: Cell
  /** Why there was no race; then nothing was decided. */
  readonly refused?: string
  /** Where the cell had no champion before. */
  readonly opened?: OpenedCell
  readonly championId?: string
  readonly anchorId?: string
  readonly decided: readonly DecidedChallenger[]
  /** Where the champion proved worse than the anchor, and nobody was promoted: the anchor takes its place. */
  readonly demotion?: DemotionDecision
}

/**
 * A race for the place of the champion of a cell: opens the cell where nobody holds it, screens each challenger on three tasks,
 * runs it, the champion and the anchor on the same ones, decides once, and stores what was decided and every run.
 *
 * Nothing is decided where a run rejects: what the runs came to is kept, and a race with the same runs goes on.
 */
export async function raceCell<Task extends { readonly id: string }>(
  bank: Bank,
  options: CellRaceOptions<Task>,
): Promise<CellRace> {
  const { cell, n = DEFAULT_RACE_PAIRS } = options
  // What is named twice is no further evidence.
  const tasks = [...new Map(options.tasks.map((task) => [task.id, task])).values()]
  const race = { ...options, n, tasks, challengerIds: [...new Set(options.challengerIds)] }
  const refused = await whyRefused(bank, race)
  if (refused !== undefined) return { cell, refused, decided: [] }
  const runs = new RaceRuns(bank, options.runOf)
  try {
    return await held(bank, { ...race, runs })
  } finally {
    await runs.settle() // where one rejected, others are under way
  }
}

interface Held<Task extends { readonly id: string }> extends CellRaceOptions<Task> {
  readonly n: number
  readonly runs: RaceRuns<Task>
}

async function held<Task extends { readonly id: string }>(bank: Bank, options: Held<Task>): Promise<CellRace> {
  const { cell, tasks, n, runs, onDecided } = options
  const opened = await openCellFor(bank, cell, { runs, tasks: tasks.slice(0, n) })
  for (;;) {
    const holders = await holdersOf(bank, cell)
    if (holders === undefined) return { cell, refused: 'no harness of the bank did a task of this kind', decided: [] }
    const race = { cell, ...(opened === undefined ? {} : { opened }), ...holders }
    const against = await racedAgainst(bank, holders, options)
    if (against === undefined) return { ...race, refused: 'it is the champion already', decided: [] }
    await bank.refresh()
    const now = await holdersOf(bank, cell)
    // Another process decided in this cell: against who stands there now.
    if (now?.championId !== holders.championId || now.anchorId !== holders.anchorId) continue
    const { decided, demotion } = against
    const told = [
      ...decided,
      ...(demotion === undefined ? [] : [{ challengerId: holders.championId, decision: demotion }]),
    ]
    const whole = { ...race, decided, ...(demotion === undefined ? {} : { demotion }) }
    const inputs = told.filter(isFinal).map((one) => ({ ...one, cell, ...holders }))
    await bank.decide(inputs, (entries) => onDecided?.(whole, entries))
    return whole
  }
}

interface Holders {
  readonly championId: string
  readonly anchorId: string
}

async function holdersOf(bank: Bank, cell: Cell): Promise<Holders | undefined> {
  const { champion, anchor } = await bank.cell(cell)
  return champion && { championId: champion.harnessId, anchorId: (anchor ?? champion).harnessId }
}

/** What comes of a race against these; undefined where nobody is left to race. */
async function racedAgainst<Task extends { readonly id: string }>(
  bank: Bank,
  holders: Holders,
  { cell, tasks, challengerIds, n, rule, runs }: Held<Task>,
): Promise<Pick<CellRace, 'decided' | 'demotion'> | undefined> {
  const others = challengerIds.filter((id) => id !== holders.championId)
  if (others.length === 0) return undefined
  const field = new Field(runs, { tasks, n, holders, isFirst: await bank.isFirstRaceOfChampion(cell) })
  const decided = await (rule === 'paper' ? field.decideByPaper(others) : field.decide(others))
  const demotion = decided.some(isPromoted) ? undefined : await field.demotion()
  return { decided, ...(demotion === undefined ? {} : { demotion }) }
}

async function whyRefused<Task extends { readonly id: string }>(
  bank: Bank,
  { cell: { clusterId }, tasks, n, rule }: CellRaceOptions<Task> & { readonly n: number },
): Promise<string | undefined> {
  if (tasks.length < n) return `${tasks.length} tasks of this kind, and the race is decided on ${n}`
  if (rule !== 'paper' && (await bank.racesLeft(clusterId)) === 0)
    return `${RACES_PER_WEEK} races of this kind were decided in the last seven days, and each has its chance of a wrong promotion`
  return undefined
}

function isPromoted({ decision }: DecidedChallenger): boolean {
  return decision.verdict === 'promote'
}

/** A race that lacks pairs is decided another time. */
function isFinal({ decision }: { readonly decision: { readonly verdict: string } }): boolean {
  return decision.verdict !== 'incomplete'
}
