import { decideBatch } from '../rule/decide-batch.js'
import { decideRace, type RaceDecision } from '../rule/decide-race.js'
import { type DemotionDecision, decideDemotion } from '../rule/demotion.js'
import { decidePaper, type PaperDecision } from '../rule/paper.js'
import { measuredTasks, type RaceTask } from '../rule/race.js'
import { type ScreenDecision, screenOut } from '../rule/screen.js'
import { LEAST_SCREEN_PAIRS } from '../rule/settings.js'
import type { RaceRuns } from './race-runs.js'

/** What was decided of a challenger. */
export interface DecidedChallenger {
  readonly challengerId: string
  readonly decision: ScreenDecision | RaceDecision | PaperDecision
}

/** What is raced for, and on what. */
interface FieldOptions<Task> {
  readonly tasks: readonly Task[]
  /** Pairs on which is decided. */
  readonly n: number
  readonly holders: { readonly championId: string; readonly anchorId: string }
  /** Whether the champion may become the anchor. */
  readonly isFirst: boolean
}

/** Whether nothing to come matters. */
type IsOver = (tasks: readonly RaceTask[]) => boolean

/** Pairs after which it is seen whether a race is lost already. */
const BLOCK = 5

/** Challengers, the champion and the anchor on the same tasks. */
export class Field<Task extends { readonly id: string }> {
  readonly #runs: RaceRuns<Task>
  readonly #options: FieldOptions<Task>
  /** The longest race so far: in it champion and anchor ran on the most tasks. */
  #longest: readonly RaceTask[] = []

  constructor(runs: RaceRuns<Task>, options: FieldOptions<Task>) {
    this.#runs = runs
    this.#options = options
  }

  /** By the rule of the guide: a screen, a race, and one decision over all of them. */
  async decide(challengerIds: readonly string[]): Promise<readonly DecidedChallenger[]> {
    const { n, isFirst } = this.#options
    const screened: DecidedChallenger[] = []
    const raced: { readonly challengerId: string; readonly tasks: readonly RaceTask[] }[] = []
    for (const challengerId of challengerIds) {
      const decision = await this.#screen(challengerId)
      if (decision === undefined) raced.push({ challengerId, tasks: await this.#race(challengerId, isLost(n)) })
      else screened.push({ challengerId, decision })
    }
    const whole = raced.findIndex(({ tasks }) => measuredTasks({ tasks }).length === n)
    const races = raced.map(({ tasks }, index) => ({ n, tasks, isFirstOfChampion: isFirst && index === whole }))
    const decisions = decideBatch(races)
    const decided = raced.map(({ challengerId }, index) => ({
      challengerId,
      decision: decisions[index] as RaceDecision, // one for each race
    }))
    return [...screened, ...decided]
  }

  /** By the literal rule of the paper, for comparison: no screen, and each challenger alone. The first that it keeps is promoted. */
  async decideByPaper(challengerIds: readonly string[]): Promise<readonly DecidedChallenger[]> {
    const decided: DecidedChallenger[] = []
    for (const challengerId of challengerIds) {
      const decision = decidePaper(await this.#race(challengerId, () => false))
      decided.push({ challengerId, decision })
      if (decision.verdict === 'promote') break
    }
    return decided
  }

  /**
   * Whether the champion proved worse than the anchor; undefined where it did not. Where it is behind and the race was over before
   * its end, the two run the tasks that are left.
   */
  async demotion(): Promise<DemotionDecision | undefined> {
    const { tasks, n, holders } = this.#options
    const { championId, anchorId } = holders
    if (championId === anchorId || leadOf(this.#longest) >= 0) return undefined
    const pairs = await this.#measure(championId, { tasks, n, isOver: () => false })
    const decision = decideDemotion(pairs)
    return decision.verdict === 'demote' ? decision : undefined
  }

  /** Where an endpoint fails too much for a screen, the race will say so. */
  async #screen(challengerId: string): Promise<ScreenDecision | undefined> {
    const { tasks } = this.#options
    const some = await this.#measure(challengerId, { tasks, n: LEAST_SCREEN_PAIRS, isOver: () => false })
    const pairs = measuredTasks({ tasks: some })
    return pairs.length < LEAST_SCREEN_PAIRS ? undefined : screenOut({ isValid: true, runs: true, pairs })
  }

  async #race(challengerId: string, isOver: IsOver): Promise<readonly RaceTask[]> {
    const { tasks, n } = this.#options
    const done = await this.#measure(challengerId, { tasks, n, isOver })
    if (done.length > this.#longest.length) this.#longest = done
    return done
  }

  /** Runs until n tasks are measured, none is left, or it is over before its end. */
  async #measure(
    challengerId: string,
    { tasks, n, isOver }: Pick<FieldOptions<Task>, 'tasks' | 'n'> & { readonly isOver: IsOver },
  ): Promise<readonly RaceTask[]> {
    const done: RaceTask[] = []
    for (let at = 0; at < tasks.length && !isOver(done); ) {
      const missing = n - measuredTasks({ tasks: done }).length
      if (missing === 0) break
      const block = tasks.slice(at, at + Math.min(BLOCK, missing))
      done.push(...(await Promise.all(block.map(async (task) => await this.#onTask(challengerId, task)))))
      at += block.length
    }
    return done
  }

  async #onTask(challengerId: string, task: Task): Promise<RaceTask> {
    const { championId, anchorId } = this.#options.holders
    const [challenger, champion, anchor] = await Promise.all([
      this.#runs.of(challengerId, task),
      this.#runs.of(championId, task),
      this.#runs.of(anchorId, task),
    ])
    return { taskId: task.id, challenger, champion, anchor }
  }
}

/** How much the champion has over the anchor, in all. */
function leadOf(tasks: readonly RaceTask[]): number {
  return measuredTasks({ tasks }).reduce(
    (sum, { champion, anchor }) => sum + Number(champion.reward) - Number(anchor.reward),
    0,
  )
}

/** Whether nothing to come could save the challenger. */
function isLost(n: number): IsOver {
  return (tasks) => tasks.length > 0 && decideRace({ n, tasks }).verdict === 'reject'
}
