export { action } from './action.js'
export { planning } from './planning.js'
