import type { LabOutcome, LabTask } from './lab.js'

/** The outcome of one task. */
export interface TaskOutcome {
  readonly task: LabTask
  readonly outcome: LabOutcome
}

/** What the tasks of one unit came to on average. */
export interface UnitMeans {
  readonly unit: string
  readonly reward: number
  /** null where that of a task is unknown. */
  readonly usd: number | null
  readonly tokens: number | null
  readonly tasks: number
}

/** The means of each unit, over tasks that were measured. */
export function unitMeans(outcomes: readonly TaskOutcome[]): readonly UnitMeans[] {
  const units = new Map<string, LabOutcome[]>()
  for (const { task, outcome } of outcomes) {
    if (outcome.reward === null) continue
    const own = units.get(task.unit)
    if (own === undefined) units.set(task.unit, [outcome])
    else own.push(outcome)
  }
  return [...units].map(([unit, own]) => ({
    unit,
    reward: meanOf(own.map(({ reward }) => reward)) as number, // those without were left out
    usd: meanOf(own.map(({ usd }) => usd)),
    tokens: meanOf(own.map(({ tokens }) => tokens)),
    tasks: own.length,
  }))
}

/** The mean; null of nothing, and where one is unknown. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const sum = sumOf(values)
  return sum === null || values.length === 0 ? null : sum / values.length
}

/** The sum; null where one is unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}
