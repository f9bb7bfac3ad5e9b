import type { CatalogModule, Json, Manifest, Slot, Use } from '@harnesswright/core'
import fc from 'fast-check'
import { optionChoices } from '../src/proposers/option-choices.js'
import { realCatalog } from './real-catalog.js'

/** A module with some of its options at one of their choices, and at times a prompt of its own. */
function useOf(module: CatalogModule): fc.Arbitrary<Use> {
  const options = fc.record(
    Object.fromEntries(optionChoices(module).map(({ name, values }) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, Json>>
  const names = Object.keys(module.description.prompts)
  const prompts = names.length === 0 ? fc.constant({}) : fc.constantFrom({}, {}, { [names[0] as string]: 'Short.' })
  return fc.record({ use: fc.constant(module.use), with: options, prompts })
}

function slotOf(slot: Slot): fc.Arbitrary<Use> {
  return fc.oneof(...realCatalog.modules(slot).map(useOf))
}

const listed = (slot: Slot): fc.Arbitrary<Manifest['memory']> =>
  fc.oneof(fc.constant(null), slotOf(slot), fc.array(slotOf(slot), { minLength: 1, maxLength: 3 }))

/** Manifests of all modules of the repository, with any choice of their options. */
export const manifests: fc.Arbitrary<Manifest> = fc
  .record({
    memory: listed('memory'),
    planning: fc.oneof(fc.constant(null), slotOf('planning')),
    capability: listed('capability'),
    action: slotOf('action'),
    codec: fc.constantFrom('auto', 'json'),
    limits: fc.constantFrom({}, { steps: 20 }, { steps: 20, usd: 0.5 }),
  })
  .map((slots) => ({
    protocol: 1,
    name: 'any',
    packages: Object.fromEntries(realCatalog.packages.map(({ description }) => [description.name, '*'])),
    ...slots,
  })) as fc.Arbitrary<Manifest>
