import type { Measure } from './measure.js'
import { MECHANICS } from './profiles.js'
import { Recent } from './recent.js'

/** What is kept of a session: its last request. */
interface Session {
  readonly elements: Measure['elements']
  readonly digest: number
  readonly repeats: number
}

/** Sessions that are remembered. */
const KEPT_SESSIONS = 4_096

/** What a request has in common with the one before it in its session. */
export interface Standing {
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
    enter(id, { elements }, digest) {
      if (id === undefined) return { cachedTokens: 0, repeats: 0 }
      const last = sessions.get(id)
      const repeats = last?.digest === digest ? last.repeats + 1 : 0
      sessions.set(id, { elements, digest, repeats })
      return { cachedTokens: last === undefined ? 0 : cachedTokens(last.elements, elements), repeats }
    },
  }
}

/** Tokens of the longest prefix of whole tools and messages that both share, if it is long enough to be cached. */
function cachedTokens(before: Measure['elements'], now: Measure['elements']): number {
  let tokens = 0
  for (const [index, element] of now.entries()) {
    if (before[index]?.hash !== element.hash) break
    tokens += element.tokens
  }
  return tokens < MECHANICS.cacheTokens ? 0 : tokens
}
