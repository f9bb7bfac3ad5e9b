export { action } from './action.js'
