import type { Task } from '@harnesswright/core'
import {
  assemble,
  type Catalog,
  createEnvironment,
  type Environment,
  HarnessError,
  type Manifest,
} from '@harnesswright/core'

/** A limit that holds back requests. */
export type RequestLimit = 'tokens' | 'usd'

/** A run that ended before its first request. */
export interface HeldRun {
  readonly manifest: Manifest
  readonly catalog: Catalog
  readonly env: Environment
  readonly task: Task
  readonly seed: number
}

/** Parts of a unit in which a limit is sought. */
const PARTS = { tokens: 1, usd: 1e6 } as const
/** A limit in such parts that holds nothing back. */
const MOST = 1e12

/**
 * The least limit with which a run sends its first request, in tokens or in USD, up to a millionth. It is found by trying:
 * the same harness is run with one limit after another, on a model that is never asked.
 *
 * @returns undefined when it is not the limit that keeps the run from its first request.
 */
export async function leastLimit(name: RequestLimit, held: HeldRun): Promise<number | undefined> {
  const sends = await createTrial(name, held)
  if (!(await sends(MOST))) return undefined
  let [tooLittle, enough] = [0, MOST]
  while (enough - tooLittle > 1) {
    const middle = Math.floor((tooLittle + enough) / 2)
    if (await sends(middle)) enough = middle
    else tooLittle = middle
  }
  return enough / PARTS[name]
}

/** Says whether the first request is sent with a limit of so many parts. */
async function createTrial(name: RequestLimit, held: HeldRun): Promise<(parts: number) => Promise<boolean>> {
  const { manifest, catalog, env, task, seed } = held
  const { observe: _observe, journal: _journal, ask: _ask, ...surroundings } = env
  let isSent = false
  const model = {
    ...env.model(),
    generate: () => {
      isSent = true
      return Promise.reject(new HarnessError('E_MODEL_BAD_REQUEST', { message: 'A trial asks no model.' }))
    },
  }
  const limits = { ...env.limits, tokens: MOST, usd: Number.POSITIVE_INFINITY }
  const { limits: _own, ...unlimited } = manifest
  const harness = await assemble(unlimited, { catalog, env: createEnvironment({ ...surroundings, model, limits }) })
  return async (parts) => {
    isSent = false
    await harness.run(task, { seed, limits: { [name]: parts / PARTS[name] } }).result
    return isSent
  }
}
