import { type HarnessError, isHarnessError, type Model } from '@harnesswright/core'
import { ADDRESS_VARIABLE, type Endpoint } from './endpoints.js'

/** How the last failure of a model is mended: the record of a run keeps what failed, and not that. */
export type FixOf = (code: string) => string | undefined

/** A model that remembers its last failure. */
export interface WatchedModel {
  readonly model: Model
  /** How to mend a failure of this code, where it was the last one. */
  readonly fixOf: FixOf
}

/** A simulated model fails at what it cannot read. */
export const fixOfSimulated: FixOf = (code) =>
  code.startsWith('E_SIM_')
    ? 'Take a task of --world, which a simulated model reads; for any other name a real model (see "harnesswright models").'
    : undefined

/** Watches what a model of an endpoint fails with. */
export function watchFailures(model: Model, endpoint: Pick<Endpoint, 'address' | 'isGiven'>): WatchedModel {
  let last: HarnessError | undefined
  const watched: Model = {
    ...model,
    async generate(...call) {
      try {
        return await model.generate(...call)
      } catch (error) {
        if (isHarnessError(error)) last = error
        throw error
      }
    },
  }
  const fixOf: FixOf = (code) => {
    if (last === undefined || last.code !== code) return undefined
    const meant = endpoint.isGiven && isNotFound(last) ? meantAddress(endpoint.address) : undefined
    if (meant === undefined) return last.hint
    return `Nothing is served at ${endpoint.address}: set ${ADDRESS_VARIABLE}=${meant}, if that is the address up to and without /chat/completions.`
  }
  return { model: watched, fixOf }
}

/** The endpoint knows no such path. One that knows no such model says so. */
function isNotFound({ details }: HarnessError): boolean {
  const { status, endpointCode } = details
  return (status === 404 || status === 405) && !/model/i.test(String(endpointCode ?? ''))
}

/** The address that is usual: one that ends in a version. Undefined when it is that already. */
function meantAddress(address: string): string | undefined {
  const base = address.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const meant = /\/v\d+$/.test(base) ? base : `${base}/v1`
  return meant === address.replace(/\/+$/, '') ? undefined : meant
}
