import type { Manifest } from '@harnesswright/core'
import type { Route } from '../proposers/route.js'

/** What kept a manifest from being assembled. */
export interface AttemptProblem {
  readonly code: string
  /** RFC 6901 pointer into the manifest; '' is the whole of it. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
}

/** A manifest that was tried. */
export interface Attempt {
  readonly manifest: Manifest
  readonly route: Route
  /** Empty for the one that was taken, which is the last. */
  readonly problems: readonly AttemptProblem[]
}
