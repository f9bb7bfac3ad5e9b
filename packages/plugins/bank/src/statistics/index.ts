export { type BootstrapOptions, bootstrapMean, LEAST_BOOTSTRAP_UNITS } from './bootstrap.js'
export { tCdf, tQuantile } from './distributions.js'
export {
  type Estimate,
  type EstimateMethod,
  type Interval,
  intervalOf,
  lowerBound,
  type NoInformation,
  pValueAbove,
  pValueBelow,
  upperBound,
} from './estimate.js'
export { formatInterval } from './format-interval.js'
export { type HolmVerdict, holm } from './holm.js'
export { isTied, mean, sampleVariance } from './moments.js'
export { agrestiMin, meanByT, type Pair, pairedDifference, pairedT } from './paired.js'
export { rewardInterval } from './reward-interval.js'
export { wilson } from './wilson.js'
