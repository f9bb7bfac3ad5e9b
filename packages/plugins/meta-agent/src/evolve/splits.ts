import type { LabTask } from '../lab/lab.js'
import { evolveError } from './errors.js'

/**
 * Makes sure that what is measured was not trained on: no task of one split has the id of one of the other, and none stands
 * twice in its own.
 *
 * @throws HarnessError `E_EVOLVE_SPLIT` with the ids.
 */
export function checkSplits(train: readonly LabTask[], test: readonly LabTask[]): void {
  const trained = new Set(train.map(({ id }) => id))
  const shared = test.filter(({ id }) => trained.has(id)).map(({ id }) => id)
  if (shared.length > 0) throw splitError(`${count(shared)} in both splits: ${some(shared)}`)
  for (const [name, tasks] of [
    ['training', train],
    ['test', test],
  ] as const) {
    if (tasks.length === 0) throw splitError(`the ${name} split is empty`)
    const twice = repeatedIds(tasks)
    if (twice.length > 0) throw splitError(`${count(twice)} twice in the ${name} split: ${some(twice)}`)
  }
}

/** Ids that stand more than once. */
function repeatedIds(tasks: readonly LabTask[]): readonly string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { id } of tasks) (seen.has(id) ? twice : seen).add(id)
  return [...twice]
}

function count(ids: readonly string[]): string {
  return ids.length === 1 ? '1 task is' : `${ids.length} tasks are`
}

function some(ids: readonly string[]): string {
  return `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`
}

function splitError(found: string): Error {
  return evolveError('E_EVOLVE_SPLIT', {
    message: `What is measured must not have been trained on, and ${found}.`,
    where: 'the splits',
    expected: 'tasks with an id each, in one of the two splits',
    fix: 'Give the splits other tasks: of worlds other random seeds.',
  })
}
