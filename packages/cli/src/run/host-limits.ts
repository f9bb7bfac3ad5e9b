import type { ModelInfo } from '@harnesswright/core'
import type { WorldTask } from '@harnesswright/plugin-worlds'
import type { HostLimits } from '../args/parse-limits.js'
import type { Config } from '../config/config.js'

/** Most USD of a run on a priced endpoint for which no limit is given. */
const USUAL_USD = 0.5

/** What the limits of a host are made from. */
export interface LimitSources {
  readonly model: Pick<ModelInfo, 'price' | 'simulated'>
  /** The model that composes, where there is one. */
  readonly metaModel?: Pick<ModelInfo, 'price' | 'simulated'>
  readonly config: Config
  /** Limits of the command line. */
  readonly limits: HostLimits
  readonly world?: Pick<WorldTask, 'stepLimit'>
}

/** Limits of the command line over those of the world over those of the configuration, and money where it is spent. */
export function limitsOf(sources: LimitSources): HostLimits {
  const { config, limits, world } = sources
  return {
    ...(isMoneySpent(sources) ? { usd: USUAL_USD } : {}),
    ...config.defaults.limits,
    ...(world === undefined ? {} : { steps: world.stepLimit }),
    ...limits,
  }
}

/** What is to be known of the limit of money, where it is ours, or cannot be held. */
export function moneyNotice(sources: LimitSources): string | undefined {
  const given = sources.limits.usd ?? sources.config.defaults.limits.usd
  if (given === undefined && isMoneySpent(sources))
    return `limit: usd=${USUAL_USD.toFixed(2)}, as the model has a price and no other is given`
  if (given === undefined || sources.model.price !== undefined) return undefined
  return 'limit: for usd= to be held, give the price of the model under "models" of the configuration; tokens= needs none'
}

/** Whether runs on these models cost money. */
export function isMoneySpent({ model, metaModel }: Pick<LimitSources, 'model' | 'metaModel'>): boolean {
  return [model, metaModel].some((one) => {
    const { price, simulated } = one ?? {}
    return price !== undefined && price.input + price.output > 0 && simulated !== true
  })
}
