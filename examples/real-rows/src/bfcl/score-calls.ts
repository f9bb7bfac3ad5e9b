import type { JsonObject } from '@harnesswright/core'
import type { Score } from '../suite.js'
import { matchesFields } from './match-value.js'
import type { BfclRow, PossibleCall } from './rows.js'

/** A call as it was made. */
export interface MadeCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** Whether the calls are the possible ones, each once, in any order. */
export function scoreCalls({ possible, function: functions }: BfclRow, made: readonly MadeCall[]): Score {
  const shown = `${made.length} calls, expected ${possible.length}`
  if (made.length !== possible.length) return { reward: 0, detail: shown }
  const required = new Map(functions.map(({ name, parameters }) => [name, requiredOf(parameters['required'])]))
  const fits = possible.map((call) => made.map((one) => isCall(one, call, required)))
  return canPair(fits) ? { reward: 1, detail: shown } : { reward: 0, detail: `${shown}, not these` }
}

function isCall(
  { name, arguments: values }: MadeCall,
  possible: PossibleCall,
  required: ReadonlyMap<string, readonly string[]>,
): boolean {
  const fields = Object.hasOwn(possible, name) ? possible[name] : undefined
  return fields !== undefined && matchesFields(values, fields, required.get(name))
}

function requiredOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** Whether every row can have a column of its own that fits it: a call that fits two answers must not use up the only one of another. */
function canPair(fits: readonly (readonly boolean[])[]): boolean {
  const rowOf = new Map<number, number>()
  const findPlace = (row: number, tried: Set<number>): boolean =>
    (fits[row] ?? []).some((fit, column) => {
      if (!fit || tried.has(column)) return false
      tried.add(column)
      const holder = rowOf.get(column)
      if (holder !== undefined && !findPlace(holder, tried)) return false
      rowOf.set(column, row)
      return true
    })
  return fits.every((_, row) => findPlace(row, new Set()))
}
