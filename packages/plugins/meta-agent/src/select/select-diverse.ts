import { diffManifests } from '../diff/diff-manifests.js'
import type { Selector } from './selector.js'

/**
 * The manifest that is least like what is known: its distance from the nearest reference, or, where there are none, its mean
 * distance from the other candidates. For exploring, not for being right.
 */
export const selectDiverse: Selector = (candidates, { references, catalog }) => {
  const known = references
    .map(({ manifest }) => manifest)
    .filter(({ memory, planning, capability, action }) => {
      const uses = [memory, planning, capability, action].flat().flatMap((use) => use?.use ?? [])
      return uses.every((use) => catalog.find(use) !== undefined)
    })
  const scores = candidates.map(({ manifest }, index) => {
    const others =
      known.length > 0 ? known : candidates.filter((_, other) => other !== index).map((one) => one.manifest)
    const distances = others.map((other) => diffManifests(manifest, other, catalog).distance)
    return known.length > 0 ? Math.min(...distances) : distances.reduce((sum, one) => sum + one, 0) / distances.length
  })
  const chosen = scores.indexOf(Math.max(...scores))
  const from = known.length > 0 ? 'the nearest reference' : 'the other candidates'
  const reason = `It is farthest from ${from}: ${scores[chosen]?.toFixed(2)} of 1.`
  return { how: 'diverse', chosen, scores, reason }
}
