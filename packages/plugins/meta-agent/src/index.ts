export type { Attempt, AttemptProblem } from './compose/attempt.js'
export { type ComposeOptions, compose } from './compose/compose.js'
export type { Composition } from './compose/composition.js'
export { explainComposition } from './compose/explain-composition.js'
export { describeDiff, describeDifference, formatDistance } from './diff/describe-diff.js'
export { type DiffPlace, diffManifests, type ManifestDiff, type ManifestDifference } from './diff/diff-manifests.js'
export { extractFeatures, type FeatureContext } from './features/extract-features.js'
export type { BudgetFeatures, TaskFeatures } from './features/task-features.js'
export type { AskingOptions } from './model/asking-options.js'
export type { ComposeSpent } from './model/spending.js'
export { type CrossoverOptions, createCrossoverProposer } from './proposers/crossover-proposer.js'
export { type Crossover, listCrossovers } from './proposers/crossovers.js'
export type { SeedName } from './proposers/fixed-proposer.js'
export { createMutateProposer, type MutateOptions } from './proposers/mutate-proposer.js'
export { listMutations, type MutatedPlace, type Mutation, type MutationOptions } from './proposers/mutations.js'
export {
  type ChampionSource,
  createNearestProposer,
  type NearestEntry,
  type NearestQuery,
} from './proposers/nearest-proposer.js'
export { createPolicyProposer, type Policy, type PolicyInput } from './proposers/policy-proposer.js'
export type { Explanation } from './proposers/proposer.js'
export type { Route } from './proposers/route.js'
export type { TaskAnalysis } from './proposers/task-analysis.js'
export type { Slots } from './rules/modules.js'
export type { Rule } from './rules/rule.js'
export { RULES } from './rules/rules.js'
