export { type Checked, type CheckOptions, checkManifest } from './check/check-manifest.js'
export type { DeadPart } from './check/liveness.js'
export type { CheckProblem, CheckStage } from './check/problem.js'
export { type SmokeOptions, type SmokeRun, smokeRun } from './check/smoke-run.js'
export type { Attempt, AttemptProblem } from './compose/attempt.js'
export { type ComposeOptions, compose } from './compose/compose.js'
export { type Composition, type CompositionRecord, type RecordedReference, recordOf } from './compose/composition.js'
export { describeRound, explainComposition } from './compose/explain-composition.js'
export type { HarnessReference, ReferenceMeasures, References } from './compose/reference.js'
export {
  type ComposedRun,
  harnessFault,
  type MendedRun,
  type RunComposedOptions,
  runComposed,
} from './compose/run-composed.js'
export { describeDiff, describeDifference, formatDistance } from './diff/describe-diff.js'
export { type DiffPlace, diffManifests, type ManifestDiff, type ManifestDifference } from './diff/diff-manifests.js'
export type { Candidate, Judged, Prediction } from './evolve/candidate.js'
export { type EvolveOptions, type EvolveReport, type EvolveRow, evolve } from './evolve/evolve.js'
export type { Foresight } from './evolve/foresee.js'
export { refusePrompts } from './evolve/prompts.js'
export type { ProposingOptions } from './evolve/proposing.js'
export {
  comparisonLine,
  detectableLine,
  EVOLVE_HEADINGS,
  evolveNotes,
  evolveRows,
  judgedLine,
} from './evolve/report-lines.js'
export { type Accepts, createSmokeGate } from './evolve/smoke-gate.js'
export { checkSplits } from './evolve/splits.js'
export { extractFeatures, type FeatureContext } from './features/extract-features.js'
export type { BudgetFeatures, TaskFeatures } from './features/task-features.js'
export { type Comparison, compareArms, REWARD_MARGIN, type Verdict } from './lab/compare.js'
export { BudgetSpent, KeptLab, type KeptLabOptions, type LabBudget, type LabRecord } from './lab/kept-lab.js'
export type { Lab, LabChoice, LabOutcome, LabTask } from './lab/lab.js'
export { type MeasureOptions, measure } from './lab/measure.js'
export type { TaskOutcome } from './lab/units.js'
export type { AskingOptions } from './model/asking-options.js'
export { isModelProbe, type ModelProbe, memoryProbes, type ProbeStore } from './model/probe/model-probe.js'
export { type ProbeOptions, probeModel } from './model/probe/probe-model.js'
export { type ComposeSpent, Spending } from './model/spending.js'
export { type CrossoverOptions, createCrossoverProposer } from './proposers/crossover-proposer.js'
export { type Crossover, listCrossovers } from './proposers/crossovers.js'
export type { SeedName } from './proposers/fixed-proposer.js'
export { createMutateProposer, type MutateOptions } from './proposers/mutate-proposer.js'
export { listMutations, type MutatedPlace, type Mutation, type MutationOptions } from './proposers/mutations.js'
export { nearestProposer } from './proposers/nearest-proposer.js'
export { createPolicyProposer, type Policy, type PolicyInput } from './proposers/policy-proposer.js'
export type { Explanation, Likelihood, Proposal, ProposalInput, Proposer, Written } from './proposers/proposer.js'
export type { Route } from './proposers/route.js'
export type { TaskAnalysis } from './proposers/task-analysis.js'
export { createModelRepairer } from './repair/model-repairer.js'
export { applyWithin, type PatchBounds, type Patched, type PatchOperation } from './repair/patch.js'
export { type ReadDocument, readDocument } from './repair/read-document.js'
export { type RepairCase, repairCase } from './repair/repair-case.js'
export {
  type Delta,
  type Repaired,
  type RepairOptions,
  type RepairRound,
  repairManifest,
} from './repair/repair-manifest.js'
export type { RepairAnswer, Repairer, RepairInput } from './repair/repairer.js'
export { createRulesRepairer, type RulesRepairerOptions } from './repair/rules/rules-repairer.js'
export type { Slots } from './rules/modules.js'
export type { Rule } from './rules/rule.js'
export { RULES } from './rules/rules.js'
export type { SelectCandidate, Selection, SelectName } from './select/selector.js'
export { type CellStats, Cells, type Evidence } from './stream/cells.js'
export { chooseEntry, type StreamChoice } from './stream/choose.js'
export { type ClusterFeatures, clusterDistance, clusterOf } from './stream/cluster.js'
export { COMPOSED, type StreamOptions, type StreamResult, type StreamStep, stream } from './stream/stream.js'
export { plotStream, type StreamPlotTexts } from './stream/stream-plot.js'
export {
  type ArmSummary,
  armOutcomes,
  type ClusterSummary,
  type Curve,
  curveOf,
  type StreamSummary,
  summariseStream,
} from './stream/summary.js'
