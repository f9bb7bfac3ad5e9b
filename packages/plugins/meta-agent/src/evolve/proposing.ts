import { type Catalog, type Manifest, mixSeed, type Random, seededRandom } from '@harnesswright/core'
import type { LabChoice } from '../lab/lab.js'
import { listCrossovers } from '../proposers/crossovers.js'
import { listMutations, type MutationOptions } from '../proposers/mutations.js'
import { randomManifest } from '../proposers/random-manifest.js'
import type { Candidate, Elite, Judged } from './candidate.js'
import { foresee } from './foresee.js'
import type { Accepts } from './smoke-gate.js'

/** What proposals are made from. */
export interface ProposingOptions extends Omit<MutationOptions, 'catalog'> {
  readonly catalog: Catalog
  /** Manifests that the best one is crossed with. */
  readonly pool: readonly Required<LabChoice>[]
  readonly rng: number
  /** Whether a manifest may be proposed, as {@link createSmokeGate} says. Default: every one that is valid. */
  readonly accepts?: Accepts
}

/** A function that gives the next proposal; undefined when there is none. */
export type Propose = (state: {
  readonly elite: Elite
  readonly judged: readonly Judged[]
}) => Promise<Candidate | undefined>

/** Every so many proposals is a mixture with another manifest, where there is one. */
const CROSSOVER_SHARE = 0.3

/** Proposals by mutation and crossover of the best one so far. What was proposed before is not proposed again. */
export function evolvingProposals({ catalog, pool, rng, accepts, ...options }: ProposingOptions): Propose {
  const random = seededRandom(mixSeed(rng, 'propose'))
  const tried = new Set<string>()
  return async ({ elite, judged }) => {
    const mutations = (): readonly Draft[] =>
      listMutations(elite.manifest, { ...options, catalog }).map(({ manifest, change }) => {
        return { manifest, change, operator: 'mutate', traits: [traitOf(change)] }
      })
    const crossovers = (): readonly Draft[] => pool.flatMap((other) => crossoversOf(elite.manifest, other, catalog))
    const [first, second] = random.next() < CROSSOVER_SHARE ? [crossovers, mutations] : [mutations, crossovers]
    const picking = {
      tried,
      random,
      accepts: async (child: Manifest) => (await accepts?.(child, elite.manifest)) !== false,
    }
    const draft = (await pickNew(first(), picking)) ?? (await pickNew(second(), picking))
    return draft && named(draft, judged)
  }
}

/** Proposals drawn at random: the control of a search. */
export function randomProposals(
  base: Manifest,
  { catalog, rng, accepts, ...options }: Omit<ProposingOptions, 'pool'>,
): Propose {
  const random = seededRandom(mixSeed(rng, 'random'))
  return async ({ judged }) => {
    for (let draw = 0; draw < MOST_DRAWS; draw += 1) {
      const manifest = randomManifest(base, { catalog, random, ...options })
      if (manifest === undefined) return undefined
      if ((await accepts?.(manifest)) === false) continue
      return named({ manifest, change: 'drawn at random', operator: 'random', traits: [] }, judged)
    }
    return undefined
  }
}

/** Draws before it is given up that one may be proposed. */
const MOST_DRAWS = 100

type Draft = Pick<Candidate, 'manifest' | 'change' | 'operator' | 'traits'>

function crossoversOf(
  manifest: Manifest,
  { name, manifest: other }: Required<LabChoice>,
  catalog: Catalog,
): readonly Draft[] {
  return listCrossovers(manifest, { ...other, name }, catalog).map((one) => {
    const traits = one.taken.map((slot) => `${slot} of ${name}`)
    return { manifest: one.manifest, change: one.change, operator: 'crossover', traits }
  })
}

/** What a change brings, wherever it is brought to: `memory -> @harnesswright/seed-gam#memory`. */
function traitOf(change: string): string {
  return change.replace(/: .* -> /, ' -> ')
}

interface Picking {
  readonly tried: Set<string>
  readonly random: Random
  readonly accepts: (manifest: Manifest) => Promise<boolean>
}

/** One by chance of those that were not tried; what may not be proposed is not asked for again. */
async function pickNew(drafts: readonly Draft[], { tried, random, accepts }: Picking): Promise<Draft | undefined> {
  const fresh = drafts.filter(({ manifest }) => !tried.has(keyOf(manifest)))
  while (fresh.length > 0) {
    const [picked] = fresh.splice(Math.floor(random.next() * fresh.length), 1) as [Draft] // there is one at this place
    tried.add(keyOf(picked.manifest))
    if (await accepts(picked.manifest)) return picked
  }
  return undefined
}

function keyOf({ memory, planning, capability, action }: Manifest): string {
  return JSON.stringify([memory, planning, capability, action])
}

function named(draft: Draft, judged: readonly Judged[]): Candidate {
  const name = `${draft.operator} ${judged.length + 1}`
  return { ...draft, name, manifest: { ...draft.manifest, name }, prediction: foresee(draft.traits, judged) }
}
