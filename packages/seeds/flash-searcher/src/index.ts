export { planning } from './planning.js'
