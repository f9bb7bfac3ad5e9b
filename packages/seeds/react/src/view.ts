/**
 * Parts that memory modules share: what a view holds, and what of it may go.
 *
 * @packageDocumentation
 */
export { identifiersIn, mainIdentifiers } from './identifiers.js'
export { standingNotes } from './standing-notes.js'
