export * from './statistics/index.js'
