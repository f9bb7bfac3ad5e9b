import type { Tool } from '@harnesswright/core'
import { BLOCKED, DELEGATE, delegateParameters } from './delegation.js'
import { type ActionCtx, actsItself } from './setup.js'

/** The tool that gives work to others. It is run for what was refused only: the rest becomes child runs. */
export function delegateTool(ctx: ActionCtx): Tool {
  const { models, toolChars } = ctx.options
  const listed = ctx.catalog.tools.map((tool) => `\n- ${tool.name}: ${tool.description}`).join('')
  const shown = listed.length <= toolChars ? listed : `${listed.slice(0, toolChars)}…`
  // An agent that acts knows its tools already.
  const tools = actsItself(ctx) || shown === '' ? '' : ` Its tools:${shown}`
  return {
    name: DELEGATE,
    description: ctx.prompt('delegate', { tools }),
    parameters: delegateParameters(models),
    execute: (_args, { callId }) => {
      const why =
        ctx.state.refused.find((one) => one.callId === callId)?.why ??
        'give the instruction and the context as texts, and tools as a list of names'
      throw new Error(ctx.prompt('unstarted', { why }))
    },
  }
}

/** The tool with which a sub-agent ends its work. It is run only where it says nothing. */
export function blockedTool(ctx: ActionCtx): Tool {
  const notes = { type: 'string', description: 'For the agent that gave you the work.' }
  return {
    name: BLOCKED,
    description: ctx.prompt('blocked'),
    parameters: { type: 'object', properties: { notes }, required: ['notes'], additionalProperties: false },
    execute: () => {
      throw new Error('say in "notes" what keeps you from the work')
    },
  }
}
