/** What is wrong with what is given as a snapshot, in words, or undefined. */
export function faultOfSnapshot(value: unknown): string | undefined {
  const { version, runs } = fieldsOf(value)
  if (version !== 1 || !isObject(runs)) return 'this is no snapshot of version 1'
  if (!Object.hasOwn(runs, '')) return 'no run has begun in this snapshot'
  const odd = Object.entries(runs).find(([, run]) => !isRecord(run))
  return odd && `the record of the run "${odd[0]}" in this snapshot is not whole`
}

const OBJECTS = ['opening', 'states', 'facts', 'artifacts', 'charged']

function isRecord(value: unknown): boolean {
  const { opening, steps, calls, ms, pending, ...rest } = fieldsOf(value)
  const { task, limits, seed } = fieldsOf(opening)
  return (
    OBJECTS.every((name) => isObject(name === 'opening' ? opening : rest[name])) &&
    typeof fieldsOf(task)['instruction'] === 'string' &&
    isObject(limits) &&
    typeof seed === 'number' &&
    typeof ms === 'number' &&
    Array.isArray(calls) &&
    Array.isArray(steps) &&
    steps.every(isStep) &&
    (pending === undefined || isEffect(pending))
  )
}

function isStep(value: unknown): boolean {
  const { action, observations, notes, modelCalls } = fieldsOf(value)
  const lists = [observations, modelCalls, ...['before', 'during', 'after'].map((name) => fieldsOf(notes)[name])]
  return isObject(action) && lists.every(Array.isArray)
}

function isEffect(value: unknown): boolean {
  const { action, directive, capabilities, before, started, outcomes } = fieldsOf(value)
  return [action, directive, outcomes].every(isObject) && [capabilities, before, started].every(Array.isArray)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
