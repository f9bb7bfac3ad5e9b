import { defineModule, type Module } from '@harnesswright/core'

/** Planning of ReAct: none. The model sees no directive, and every thought of what to do is its own. */
export const planning: Module = defineModule({
  slot: 'planning',
  summary: 'No plan: the model decides at each step what to do next.',
  direct: (ctx) => ctx.directive,
})
