/**
 * The search among tools, for capability modules of other packages: how tools are ranked, and the tool with which a model
 * looks for them.
 *
 * @packageDocumentation
 */
export type { Query } from './search/bm25.js'
export { createFindTools, type Shelf } from './search/find-tools.js'
export { leftOutBefore, toolsWithout } from './search/left-out.js'
export { queryOf, rankTools, type WeightedText } from './search/rank-tools.js'
