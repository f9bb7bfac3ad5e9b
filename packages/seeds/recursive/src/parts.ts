/**
 * Parts that seeds with child runs share: acting without any, and a limit of steps that holds for the whole tree.
 *
 * @packageDocumentation
 */
export { type AloneCtx, type AloneState, actAlone, reactPrompts } from './act-alone.js'
export { assertStepsLeft, stepsLeftInTree, stepsOfTree } from './steps-in-tree.js'
