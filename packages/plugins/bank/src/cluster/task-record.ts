import type { TaskRecord } from '../log/entry.js'

/**
 * Features of a task as the bank takes them: numbers, texts, true, false and null, with those of inner objects under
 * `<name>.<name>`. Lists and what is undefined are left out, and so are numbers that are not finite.
 */
export function taskRecord(features: object): TaskRecord {
  return Object.fromEntries(Object.entries(features).flatMap(([name, value]) => flat(name, value)))
}

type Feature = TaskRecord[string]

function flat(name: string, value: unknown): readonly (readonly [string, Feature])[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [[name, value]]
  if (typeof value === 'number') return Number.isFinite(value) ? [[name, value]] : []
  if (typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([inner, own]) => flat(`${name}.${inner}`, own))
}
