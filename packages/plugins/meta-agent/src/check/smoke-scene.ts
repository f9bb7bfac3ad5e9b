import type { Json, JsonSchema, Model, ModelRequest, Tool } from '@harnesswright/core'
import { createScriptedModel, type Script, type ScriptedModel } from '@harnesswright/core/testkit'
import { sampleValue } from './sample-value.js'

/** Window of the scripted model in tokens, beside what the tools take: so small that memories have something to do. */
const WINDOW_TOKENS = 6_000
/** Characters of a tool's result: eight of them are most of the window. */
const RESULT_CHARS = 2_400
/** Steps in which the scripted model calls tools before it answers. */
const CALLING_STEPS = 8
const ANSWER = 'The last part says that all is well.'

/** The tools of an environment with everything but their work: no file, socket or process is touched. */
export function fakeTools(tools: readonly Tool[]): readonly Tool[] {
  return (tools.length === 0 ? [LOOK] : tools).map(
    (tool): Tool => ({
      ...tool,
      latencyMs: 0,
      execute: (args: Json, { callId }) => `${tool.name} ${JSON.stringify(args)} (${callId}): ${FILLING}`,
    }),
  )
}

const FILLING = 'a line of what was found. '.repeat(Math.ceil(RESULT_CHARS / 26))

/** What there is to call where an environment has no tools. */
const LOOK: Tool = {
  name: 'look_at_part',
  description: 'Shows a part.',
  parameters: { type: 'object', properties: { part: { type: 'integer', minimum: 1 } }, required: ['part'] },
  readOnly: true,
  execute: () => '',
}

/**
 * A model that does what a script says: it calls what is on offer, one or two at once, once wrongly, and then answers. What
 * else it is asked for it gives as the smallest value of the schema, or a sentence.
 *
 * @param isSafe - Whether the work of a tool may be done: that of the fake ones, and of modules that reach nothing.
 */
export function smokeModel(tools: readonly Tool[], isSafe: (tool: Tool) => boolean): ScriptedModel {
  const acts = new Map<string, number>()
  const heads = Math.ceil(
    JSON.stringify(tools.map(({ description, parameters }) => [description, parameters])).length / 3,
  )
  const say = (request: ModelRequest): Script => {
    if (request.schema !== undefined) return JSON.stringify(sampleValue(request.schema))
    if (request.purpose !== 'act') return 'Parts were looked at, one after another. Nothing is missing.'
    const session = request.session ?? ''
    const step = (acts.get(session) ?? 0) + 1
    acts.set(session, step)
    return actOf(request, step, isSafe)
  }
  const window: Partial<Model> = { contextWindow: WINDOW_TOKENS + heads, maxOutputTokens: 1_000 }
  return createScriptedModel([], { ...window, id: 'smoke', after: say })
}

function actOf({ tools = [] }: ModelRequest, step: number, isSafe: (tool: Tool) => boolean): Script {
  const callable = tools.filter(isSafe)
  if (step > CALLING_STEPS || callable.length === 0) return ANSWER
  const pick = (index: number): Tool => callable[index % callable.length] as Tool // there is one
  const call = (index: number) => ({ call: pick(index).name, with: argumentsOf(pick(index).parameters, index) })
  if (step === 3) return { call: pick(step).name, with: '{"part":', say: 'I look at the next part.' }
  if (step === 5) return { calls: [call(step), call(step + 40)], say: 'Two parts at once.' }
  return { ...call(step), say: `Step ${step}: I look at part ${step}.` }
}

/** Arguments that differ from step to step where the schema lets them, so that nothing looks like a loop. */
function argumentsOf(parameters: JsonSchema, index: number): { readonly [name: string]: Json } {
  const sample = sampleValue({ type: 'object', ...parameters })
  const entries = Object.entries((sample ?? {}) as Readonly<Record<string, Json>>)
  return Object.fromEntries(entries.map(([name, value]) => [name, varied(value, index)]))
}

function varied(value: Json, index: number): Json {
  if (value === 'part 1') return `part ${index}`
  return value === 1 ? index : value
}
