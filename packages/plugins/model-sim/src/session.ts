import type { Element, Measure } from './measure.js'
import { MECHANICS } from './profiles.js'
import { Recent } from './recent.js'

/** What is kept of a session: its last request. */
interface Session {
  readonly measure: Measure
  readonly digest: number
  readonly repeats: number
}

/** Sessions that are remembered at least. */
const KEPT_SESSIONS = 4_096

/** What a request has in common with the one before it in its session. */
interface Standing {
  /** Input tokens read from the prefix cache. */
  readonly cachedTokens: number
  /** How often the same request was made in a row before. */
  readonly repeats: number
}

/** What is remembered between requests, by session only: nothing depends on what else was served in between. */
export interface Sessions {
  /** Takes up a request. Without a session nothing is remembered. */
  enter(id: string | undefined, measure: Measure, digest: number): Standing
}

/** An empty memory of sessions. */
export function createSessions(): Sessions {
  const sessions = new Recent<Session>(KEPT_SESSIONS)
  return {
    enter(id, measure, digest) {
      if (id === undefined) return { cachedTokens: 0, repeats: 0 }
      const last = sessions.get(id)
      const repeats = last?.digest === digest ? last.repeats + 1 : 0
      sessions.set(id, { measure, digest, repeats })
      return { cachedTokens: last === undefined ? 0 : cachedTokens(last.measure, measure), repeats }
    },
  }
}

/**
 * Tokens of the longest prefix of whole messages that both share, if it is long enough to be cached. Tools stand before the
 * messages: other tools share nothing; a request without tools is compared by its messages.
 */
function cachedTokens(before: Measure, now: Measure): number {
  const hasTools = before.tools.length > 0 && now.tools.length > 0
  if (hasTools && countShared(before.tools, now.tools) < Math.max(before.tools.length, now.tools.length)) return 0
  const shared = countShared(before.messages, now.messages)
  const tokens = sumTokens(now.messages.slice(0, shared)) + (hasTools ? sumTokens(now.tools) : 0)
  return tokens < MECHANICS.cacheTokens ? 0 : tokens
}

function countShared(before: readonly Element[], now: readonly Element[]): number {
  const first = now.findIndex((element, index) => before[index]?.hash !== element.hash)
  return first < 0 ? now.length : first
}

function sumTokens(elements: readonly Element[]): number {
  return elements.reduce((sum, element) => sum + element.tokens, 0)
}
