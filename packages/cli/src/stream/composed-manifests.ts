import type { Manifest } from '@harnesswright/core'
import type { RunPlace } from './run-place.js'

/** Manifests that were composed, by the ids of their harnesses. */
export interface ComposedManifests {
  get(harnessId: string): Manifest | undefined
  /** Keeps one at once: it is there before any run of it is, also for a process that goes on. */
  put(harnessId: string, manifest: Manifest): void
}

const FILE = 'composed.json'

/** The manifests that were composed in this directory. */
export function openComposed(place: RunPlace): ComposedManifests {
  const before = (place.readJson(FILE) ?? {}) as Readonly<Record<string, Manifest>> // as it is written below
  const manifests = new Map(Object.entries(before))
  return {
    get: (harnessId) => manifests.get(harnessId),
    put(harnessId, manifest) {
      if (manifests.has(harnessId)) return
      manifests.set(harnessId, manifest)
      place.write(FILE, `${JSON.stringify(Object.fromEntries(manifests))}\n`)
    },
  }
}
