export * from './rule/index.js'
