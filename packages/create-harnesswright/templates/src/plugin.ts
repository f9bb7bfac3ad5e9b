import { defineModule, type Module, type Observation } from '@harnesswright/core'
import * as z from 'zod'

/** Keeps head and tail of long results of tools. */
export const plugin: Module = defineModule({
  slot: 'plugin',
  summary: 'Keeps head and tail of long results of tools; for tools that print more than anybody reads.',
  options: z.strictObject({
    most: z
      .int()
      .min(200)
      .max(1_000_000)
      .default(8_000)
      .describe('Most characters of a result that are kept.')
      .meta({ buckets: [4_000, 8_000, 16_000] }),
  }),
  prompts: { cut: '\n[… {{count}} characters were left out …]\n' },
  toolResult(observation, ctx): Observation | undefined {
    const { most } = ctx.options
    if (observation.content.length <= most) return undefined
    const characters = Array.from(observation.content) // whole ones: a half is no text
    const half = Math.floor(most / 2)
    if (characters.length <= 2 * half) return undefined
    const head = characters.slice(0, half).join('')
    const tail = characters.slice(-half).join('')
    return { ...observation, content: head + ctx.prompt('cut', { count: characters.length - 2 * half }) + tail }
  },
})
