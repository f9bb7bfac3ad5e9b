import type { Catalog, Manifest } from '@harnesswright/core'
import type { ModelProbe } from '../model/probe/model-probe.js'
import { type CheckProblem, placedModules } from './problem.js'

/** What a manifest asks of a model that the model was seen not to follow. */
export function checkProbe(manifest: Manifest, catalog: Catalog, probe: ModelProbe): readonly CheckProblem[] {
  return [...codecMisfits(manifest, probe), ...planMisfits(manifest, catalog, probe)]
}

/**
 * `auto` is native where the model has calls of its own, else json. A codec that was not followed is refused where the other
 * was: where neither was, no manifest is better than another.
 */
function codecMisfits({ codec = 'auto' }: Manifest, probe: ModelProbe): readonly CheckProblem[] {
  const { model, native, json, hasTools } = probe
  const meant = codec === 'auto' ? (hasTools ? 'native' : 'json') : codec
  const other =
    meant === 'native' && json === true ? 'json' : meant === 'json' && native === true ? 'native' : undefined
  const isFollowed = meant === 'native' ? native : meant === 'json' ? json : null
  if (isFollowed !== false || other === undefined) return []
  const message = `The model ${model} was asked for a call in the codec ${meant} and made none; in the codec ${other} it did.`
  return [{ code: 'E_PROTOCOL_MODEL', pointer: '/codec', message, fix: `Write "codec": "${other}".` }]
}

function planMisfits(manifest: Manifest, catalog: Catalog, { model, plan }: ModelProbe): readonly CheckProblem[] {
  if (plan !== false) return []
  return placedModules(manifest)
    .filter(({ use, slot }) => slot === 'planning' && catalog.find(use)?.description.provides.includes('plan') === true)
    .map(({ use, pointer }): CheckProblem => {
      const message = `${use} asks the model for a plan as JSON, and ${model} was asked for one and wrote none.`
      return { code: 'E_PROTOCOL_MODEL', pointer: `${pointer}/use`, message, fix: 'Choose no plan: null.', module: use }
    })
}
