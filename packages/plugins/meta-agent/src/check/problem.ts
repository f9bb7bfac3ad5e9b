import { type HarnessError, isHarnessError, type Manifest, type Slot } from '@harnesswright/core'

/** The checks that a manifest goes through, the cheapest first. `smoke` is a run on a scripted model with fake tools. */
export type CheckStage = 'parse' | 'validate' | 'resolve' | 'fit' | 'prompts' | 'smoke' | 'liveness' | 'run'

/** What kept a manifest from becoming a harness that runs. */
export interface CheckProblem {
  readonly code: string
  /** RFC 6901 pointer into the manifest; '' is the whole of it. */
  readonly pointer: string
  readonly message: string
  readonly fix: string
  /** What stands there, cut to a line. */
  readonly found?: string
  /** Valid names most like the one found. */
  readonly nearest?: readonly string[]
  /** The module that failed, as the manifest names it. */
  readonly module?: string
}

/** What an error of core says is wrong with a manifest: each of its problems, or the error itself. */
export function problemsOf(error: HarnessError, manifest: unknown): readonly CheckProblem[] {
  const { problems } = error.details
  if (Array.isArray(problems)) return (problems as readonly CheckProblem[]).map(pickProblem) // as core writes them
  return [errorProblem(error, manifest)]
}

/** Any error as a problem of the module that it names. */
export function errorProblem(
  error: { readonly code: string; readonly message: string; readonly hint?: string } & {
    readonly slot?: string
    readonly module?: string
  },
  manifest: unknown,
): CheckProblem {
  const { code, message, hint = '', slot, module } = error
  const pointer = pointerOfModule(manifest, slot, module)
  return { code, pointer, message, fix: hint, ...(module === undefined ? {} : { module }) }
}

/** @throws the value itself when it is no error with a code: that is a defect. */
export function coded(thrown: unknown): HarnessError {
  if (!isHarnessError(thrown)) throw thrown
  return thrown
}

function pickProblem({ code, pointer, message, fix, found, nearest }: CheckProblem): CheckProblem {
  const more = { ...(found === undefined ? {} : { found }), ...(nearest === undefined ? {} : { nearest }) }
  return { code, pointer, message, fix, ...more }
}

/** Field of a manifest by slot. */
export const FIELDS: Readonly<Record<Slot, string>> = {
  memory: 'memory',
  planning: 'planning',
  capability: 'capability',
  action: 'action',
  plugin: 'plugins',
}

/** A module that a manifest names, and where. */
export interface PlacedModule {
  readonly slot: Slot
  /** Pointer to the object with `use`. */
  readonly pointer: string
  readonly use: string
}

/** Every module that a manifest names, as far as it is one. */
export function placedModules(manifest: unknown): readonly PlacedModule[] {
  const fields = (manifest ?? {}) as Readonly<Record<string, unknown>>
  return (Object.entries(FIELDS) as [Slot, string][]).flatMap(([slot, field]) => {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined
    const entries: [unknown, string][] = Array.isArray(value)
      ? value.map((one, index) => [one, `/${field}/${index}`])
      : [[value, `/${field}`]]
    return entries.flatMap(([one, pointer]) => {
      const use = (one as Partial<Manifest['action']> | null | undefined)?.use
      return typeof use === 'string' ? [{ slot, pointer, use }] : []
    })
  })
}

function pointerOfModule(manifest: unknown, slot: string | undefined, module: string | undefined): string {
  const placed = placedModules(manifest)
  const found =
    placed.find((one) => one.use === module && (slot === undefined || one.slot === slot)) ??
    (module === undefined ? placed.find((one) => one.slot === slot) : undefined)
  return found?.pointer ?? ''
}
