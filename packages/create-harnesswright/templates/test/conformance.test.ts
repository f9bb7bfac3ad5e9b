import { moduleConformance } from '@harnesswright/core/testkit'
import { describe, test } from 'vitest'
import * as modules from '../src/index.js'

describe.each(Object.entries(modules))('%s conforms', (_name, module) => {
  for (const { name, run } of moduleConformance({ module })) test(name, run)
})
