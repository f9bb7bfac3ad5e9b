export { action } from './action.js'
export { capability } from './capability.js'
export { memory } from './memory.js'
