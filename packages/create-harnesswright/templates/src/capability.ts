import { type Capabilities, defineModule, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** Offers tools that only read for the first steps, and then those that change something too. */
export const capability: Module = defineModule({
  slot: 'capability',
  summary: 'Offers only tools that read for the first steps; for tasks in which a hasty change does harm.',
  options: z.strictObject({
    lookSteps: z
      .int()
      .min(0)
      .max(20)
      .default(2)
      .describe('Steps before tools that change something are offered.')
      .meta({ buckets: [1, 2, 4] }),
  }),
  select(ctx): Capabilities {
    const { capabilities, history, options } = ctx
    const reading = capabilities.tools.filter(({ readOnly }) => readOnly === true)
    const changing = capabilities.tools.filter(({ readOnly }) => readOnly !== true)
    // Those that read stand first from the start: a list of tools that only grows keeps the prompt cache.
    const isEarly = history.length < options.lookSteps && reading.length > 0
    return { ...capabilities, tools: isEarly ? reading : [...reading, ...changing] }
  },
})
