import type { RunResult } from '@harnesswright/core'
import { type HeldRun, leastLimit, type RequestLimit } from './least-limit.js'

/** Said of both limits, as it is why they hold back what would have been cheaper in the end. */
const WHY =
  'Before each request the most that it can use is set aside: every byte counts as a token until the model has reported what it uses'

/** What is to be said of a run that a limit ended before its first request; undefined of every other. */
export async function limitAdvice(result: RunResult, held: HeldRun): Promise<string | undefined> {
  const { status, reason, spent } = result
  if (status !== 'limit' || spent.steps > 0 || spent.modelCalls > 0) return undefined
  if (reason !== 'tokens' && reason !== 'usd') return undefined
  const least = await leastLimit(reason, held)
  if (least === undefined) return undefined
  return `the limit ${reason}=${limitOf(reason, held)} lets no request through, as the first needs ${reason}=${least}. ${WHY}. A run of several steps needs several times that.`
}

/** The limit that held: the lower one of the host's and the manifest's. */
function limitOf(name: RequestLimit, { env, manifest }: HeldRun): number {
  return Math.min(env.limits[name], manifest.limits?.[name] ?? Number.POSITIVE_INFINITY)
}
