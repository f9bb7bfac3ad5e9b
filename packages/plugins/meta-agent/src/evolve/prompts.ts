import type { Catalog, Manifest } from '@harnesswright/core'
import { normalise } from '@harnesswright/plugin-manifest'
import { evolveError } from './errors.js'

/**
 * Refuses manifests with prompts of their own for a simulated model, to which no wording means anything: a difference between
 * them would be chance, and nothing that a model for language shares.
 *
 * @throws HarnessError `E_EVOLVE_PROMPTS` with the manifest and the module.
 */
export function refusePrompts(manifests: readonly Manifest[], catalog: Catalog): void {
  for (const manifest of manifests) {
    const module = moduleWithPrompts(manifest, catalog)
    if (module === undefined) continue
    throw evolveError('E_EVOLVE_PROMPTS', {
      message: `${manifest.name} has prompts of its own for ${module}, and prompts mean nothing to a simulated model.`,
      where: manifest.name,
      expected: 'manifests without prompts of their own, or a model for language',
      fix: `Leave "prompts" of ${module} out, or name another model with --model.`,
    })
  }
}

function moduleWithPrompts(manifest: Manifest, catalog: Catalog): string | undefined {
  const { memory, planning, capability, action, plugins } = normalise(manifest, catalog)
  const found = [memory, planning, capability, action, plugins].flat().find(({ use, prompts }) => {
    const own = catalog.find(use)?.description.prompts ?? {}
    return Object.entries(prompts).some(([name, text]) => own[name] !== text)
  })
  return found?.use
}
