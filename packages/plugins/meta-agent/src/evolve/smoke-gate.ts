import type { Manifest } from '@harnesswright/core'
import { type SmokeOptions, type SmokeRun, smokeRun } from '../check/smoke-run.js'

/** Whether a manifest may be proposed: alone, or as a step away from another. */
export type Accepts = (manifest: Manifest, from?: Manifest) => Promise<boolean>

/**
 * Lets through what runs on a scripted model and does something else there than what it comes from: a change that changes
 * nothing in it is dead, and no run is paid for it. One short run shows a little of what may happen, so that some changes that
 * matter in longer ones are held back too.
 */
export function createSmokeGate(options: SmokeOptions): Accepts {
  const runs = new Map<string, Promise<SmokeRun>>()
  const runOf = (manifest: Manifest): Promise<SmokeRun> => {
    const { memory, planning, capability, action, plugins, codec } = manifest
    const key = JSON.stringify([memory, planning, capability, action, plugins, codec])
    const known = runs.get(key)
    if (known !== undefined) return known
    const run = smokeRun(manifest, options)
    runs.set(key, run)
    return run
  }
  return async (manifest, from) => {
    const { problems, transcript } = await runOf(manifest)
    if (problems.length > 0) return false
    if (from === undefined || transcript === undefined) return true
    return (await runOf(from)).transcript !== transcript
  }
}
