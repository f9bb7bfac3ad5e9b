/**
 * Parts that memory modules share: what a view holds, and what of it may go.
 *
 * @packageDocumentation
 */
export { stepsOf } from './evict.js'
export { identifiersIn, mainIdentifiers } from './identifiers.js'
export { type Replaced, replaceSteps } from './replace-steps.js'
export { standingNotes } from './standing-notes.js'
export { textOf, transcriptOf } from './transcript.js'
