/**
 * Capability modules: which tools and skills a model is offered.
 *
 * @packageDocumentation
 */
export { gated } from './gated/gated.js'
export { retrieval } from './retrieval/retrieval.js'
export { sequenced } from './sequenced/sequenced.js'
export { skills } from './skills/skills.js'
