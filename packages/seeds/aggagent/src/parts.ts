/**
 * Parts that seeds with several runs of one task share: what a run said and saw, where it saw something, and whose answer stands.
 *
 * @packageDocumentation
 */
export { answerText, firstAnswered, type Passage, passagesOf, type Rollout, type Speaker } from './rollouts.js'
export { type Hit, searchPassages } from './search.js'
