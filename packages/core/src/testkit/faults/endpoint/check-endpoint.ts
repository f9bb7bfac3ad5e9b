import type { FaultFinding } from '../run-fault-case.js'
import { FaultMismatch } from '../trace.js'
import { endpointCases } from './endpoint-cases.js'
import type { EndpointUnderTest } from './line.js'
import { EndpointSession, NotClaimed } from './session.js'

/** What came of one row with an endpoint. */
export interface EndpointReport {
  readonly id: string
  readonly sentence: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** Of a row that failed: what was expected, and what found. */
  readonly finding?: FaultFinding
  /** Why a row was skipped. */
  readonly reason?: string
  /** Real time in ms. */
  readonly ms: number
}

/**
 * Asks an endpoint for everything that a harness needs of it, row by row; gives each report when it is there.
 *
 * It costs about fifteen short requests. Rows that the endpoint does not claim are skipped, and all others when it does not
 * answer a plain request.
 */
export async function* checkEndpoint(endpoint: EndpointUnderTest): AsyncGenerator<EndpointReport, void, undefined> {
  const session = new EndpointSession(endpoint)
  let isUsable = true
  for (const { id, sentence, check } of endpointCases) {
    endpoint.signal?.throwIfAborted()
    const startedAt = performance.now()
    const verdict: Verdict = isUsable ? await judge(() => check(session)) : SKIPPED
    if (id === 'plain') isUsable = verdict.state === 'passed'
    yield { id, sentence, ...verdict, ms: Math.round(performance.now() - startedAt) }
  }
}

type Verdict = Pick<EndpointReport, 'state' | 'finding' | 'reason'>

const SKIPPED: Verdict = { state: 'skipped', reason: 'a plain request is not answered' }

async function judge(check: () => Promise<void>): Promise<Verdict> {
  try {
    await check()
    return { state: 'passed' }
  } catch (thrown) {
    if (thrown instanceof NotClaimed) return { state: 'skipped', reason: thrown.message }
    if (!(thrown instanceof FaultMismatch)) throw thrown
    return { state: 'failed', finding: { expected: thrown.expected, found: thrown.found } }
  }
}
