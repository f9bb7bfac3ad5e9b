export { type AnchorInput, type AnchorVerdict, decideAnchor } from './anchor.js'
export type { Comparison } from './comparison.js'
export { decideBatch } from './decide-batch.js'
export { decideRace, type Gain, type RaceDecision, type RaceNumbers, type RaceVerdict } from './decide-race.js'
export { type DemotionDecision, decideDemotion } from './demotion.js'
export { decidePaper, type PaperDecision } from './paper.js'
export { racesLeft } from './quota.js'
export { measuredTasks, type Race, type RaceRun, type RaceTask, type RewardKind } from './race.js'
export { type ScreenDecision, type ScreenInput, type ScreenVerdict, screenChallenger } from './screen.js'
export {
  ANCHOR_CONFIDENCE,
  DEFAULT_RACE_PAIRS,
  LEAST_ANCHOR_PAIRS,
  LEAST_SCREEN_PAIRS,
  marginOf,
  RACE_LEVEL,
  RACES_PER_WEEK,
  RULE_VERSION,
} from './settings.js'
