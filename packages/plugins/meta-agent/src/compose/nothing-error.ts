import { type Catalog, HarnessError } from '@harnesswright/core'
import { USUAL_PACKAGES } from '../rules/modules.js'
import type { Attempt } from './attempt.js'

/** The error of a composition that found nothing that can be assembled. */
export function nothingError(attempts: readonly Attempt[], catalog: Catalog): HarnessError {
  const details = {
    attempts: attempts.map(({ manifest, route, problems }) => ({ name: manifest.name, route, problems })),
  }
  if (catalog.modules('action').length === 0) {
    return new HarnessError('E_COMPOSE_NOTHING', {
      message: `There is no action module among the ${catalog.packages.length} packages of the catalog, and no harness can do without one.`,
      hint: `Install ${USUAL_PACKAGES.join(' and ')}, and register them in the catalog.`,
      details,
    })
  }
  const last = attempts.at(-1)?.problems[0]
  return new HarnessError('E_COMPOSE_NOTHING', {
    message: `None of ${attempts.length} manifests could be assembled; the last one: ${last?.message ?? 'no problem was told'}`,
    hint: last?.fix ?? `Install ${USUAL_PACKAGES.join(' and ')}.`,
    details,
  })
}
