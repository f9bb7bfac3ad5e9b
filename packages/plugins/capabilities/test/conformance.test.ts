import { moduleConformance } from '@harnesswright/core/testkit'
import * as capabilities from '@harnesswright/plugin-capabilities'
import { describe, test } from 'vitest'

const { retrieval, gated, sequenced } = capabilities

describe.each(Object.entries(capabilities))('%s conforms', (_name, module) => {
  for (const { name, run } of moduleConformance({ module })) test(name, run)
})

describe.each([
  ['retrieval among more tools than it offers', retrieval, { top: 1, always: ['look', 'find'] }],
  ['gated with gates', gated, { gates: [{ goal: 'look', tools: ['look'] }], always: ['find', 'put'] }],
  ['sequenced with an order', sequenced, { order: ['look', 'find', 'put'] }],
  ['sequenced with others in between', sequenced, { order: ['find', 'put'], between: true }],
])('%s conforms', (_name, module, options) => {
  for (const { name, run } of moduleConformance({ module, options })) test(name, run)
})
