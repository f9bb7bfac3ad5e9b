import {
  type AssembleOptions,
  assemble,
  type Harness,
  type HarnessError,
  isHarnessError,
  type Manifest,
} from '@harnesswright/core'
import type { AttemptProblem } from './attempt.js'

/** A harness, or what kept the manifest from becoming one. */
export interface Trial {
  readonly harness?: Harness
  readonly problems: readonly AttemptProblem[]
}

/** Assembles a manifest. What is wrong with it or its modules is told; anything else is a defect, and thrown. */
export async function tryManifest(manifest: Manifest, options: AssembleOptions): Promise<Trial> {
  try {
    return { harness: await assemble(manifest, options), problems: [] }
  } catch (error) {
    if (!isHarnessError(error)) throw error
    return { problems: problemsOf(error) }
  }
}

function problemsOf(error: HarnessError): readonly AttemptProblem[] {
  const { problems } = error.details
  if (Array.isArray(problems)) return (problems as readonly AttemptProblem[]).map(pickProblem) // as core writes them
  return [{ code: error.code, pointer: '', message: error.message, fix: error.hint }]
}

function pickProblem({ code, pointer, message, fix }: AttemptProblem): AttemptProblem {
  return { code, pointer, message, fix }
}
