import { defineModule, type Module } from '@harnesswright/core'

/** Capability of ReAct: every tool and skill of the environment, at every step. */
export const capability: Module = defineModule({
  slot: 'capability',
  summary: 'Offers every tool and every skill at every step.',
  select: (ctx) => ctx.capabilities,
})
