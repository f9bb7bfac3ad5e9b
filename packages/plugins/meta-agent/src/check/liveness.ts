import type { Json, Manifest, Use } from '@harnesswright/core'
import { below } from '../pointer.js'
import { FIELDS, type PlacedModule, placedModules } from './problem.js'
import { type SmokeOptions, smokeRun } from './smoke-run.js'

/** A part of a manifest that changed nothing in the smoke run: not what the model is asked, not what is offered, not when the run stops. */
export interface DeadPart {
  /** Pointer to the module, the option or the prompt. */
  readonly pointer: string
  readonly what: 'module' | 'option' | 'prompt'
  /** The module in which it stands, as the manifest names it. */
  readonly use: string
  readonly message: string
}

/** Most variants of a manifest that are run. */
const MAX_VARIANTS = 32

interface Variant extends Omit<DeadPart, 'message'> {
  readonly manifest: Manifest
}

/**
 * Which choices and options of a manifest change nothing: for each, the smoke run without it is compared with the one with
 * it. One run shows a little of what may happen: what is dead in it may matter in a longer one.
 *
 * @param transcript - Of the smoke run of the manifest.
 */
export async function deadParts(
  manifest: Manifest,
  transcript: string,
  options: SmokeOptions,
): Promise<readonly DeadPart[]> {
  const dead: DeadPart[] = []
  for (const { manifest: without, ...part } of variants(manifest, options).slice(0, MAX_VARIANTS)) {
    const run = await smokeRun(without, options)
    if (run.transcript !== transcript) continue
    const name =
      part.what === 'module' ? part.use : `${part.pointer.slice(part.pointer.lastIndexOf('/') + 1)} of ${part.use}`
    dead.push({
      ...part,
      message: `Without ${name} the smoke run is the same: nothing else is asked, offered or stopped.`,
    })
  }
  return dead
}

/** The manifest without one module, one option or one prompt, each in turn. What is as by default is no choice. */
function variants(manifest: Manifest, { catalog }: SmokeOptions): readonly Variant[] {
  return placedModules(manifest).flatMap((placed): readonly Variant[] => {
    const { pointer, use, slot } = placed
    const given = useAt(manifest, placed)
    const set = (what: 'with' | 'prompts', name: string, isPrompt: boolean): Variant => {
      const { [name]: _, ...rest } = (given[what] ?? {}) as Readonly<Record<string, unknown>>
      const changed = { ...given, [what]: rest } as Use
      return {
        manifest: replaced(manifest, placed, changed),
        pointer: below(`${pointer}/${what}`, name),
        what: isPrompt ? 'prompt' : 'option',
        use,
      }
    }
    const properties = (catalog.find(use)?.description.options['properties'] ?? {}) as Readonly<
      Record<string, { readonly default?: Json } | undefined>
    >
    const isByDefault = (name: string, value: Json): boolean =>
      JSON.stringify(properties[name]?.default) === JSON.stringify(value)
    const chosen = Object.entries(given.with ?? {}).filter(([name, value]) => !isByDefault(name, value))
    return [
      ...(slot === 'action'
        ? []
        : [{ manifest: replaced(manifest, placed, null), pointer, what: 'module' as const, use }]),
      ...chosen.map(([name]) => set('with', name, false)),
      ...Object.keys(given.prompts ?? {}).map((name) => set('prompts', name, true)),
    ]
  })
}

function useAt(manifest: Manifest, { slot, pointer }: PlacedModule): Use {
  const uses = [manifest[FIELDS[slot] as 'memory'] ?? []].flat()
  const [, , index = '0'] = pointer.split('/')
  return uses[Number(index)] as Use // placed there
}

/** The manifest with another module in this place, or none. */
function replaced(manifest: Manifest, { slot, pointer }: PlacedModule, use: Use | null): Manifest {
  const field = FIELDS[slot]
  const [, , index] = pointer.split('/')
  if (index === undefined) return { ...manifest, [field]: use }
  const uses = [manifest[field as 'memory'] ?? []].flat()
  const kept = use === null ? uses.toSpliced(Number(index), 1) : uses.with(Number(index), use)
  return { ...manifest, [field]: kept.length === 0 && slot !== 'plugin' ? null : kept }
}
