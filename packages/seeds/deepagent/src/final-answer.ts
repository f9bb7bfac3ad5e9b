import type { CallAction, Json, Reply, Tool } from '@harnesswright/core'

/** Name of the tool with which the model says that its words are the answer. */
const FINAL_ANSWER = 'final_answer'

/** The tool that ends the run. The action reads its calls; one that it cannot read is made, and told what is wrong with it. */
export const finalAnswerTool: Tool = {
  name: FINAL_ANSWER,
  description: 'Ends the work with the answer to the task.',
  parameters: {
    type: 'object',
    properties: {
      answer: { type: 'string', minLength: 1, description: 'The whole answer, in the form the task asks for.' },
    },
    required: ['answer'],
    additionalProperties: false,
  },
  execute() {
    throw new Error('it is called alone, with the whole answer')
  },
}

/** The answer that a call gives; undefined for other calls, and where there is no text in it. */
export function answerIn({ calls: [first] }: Pick<CallAction, 'calls'>): Json | undefined {
  if (first?.name !== FINAL_ANSWER) return undefined
  const { answer } = JSON.parse(first.arguments) as { readonly answer?: Json } // arguments are the text of an object
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined
}

/** The calls of a reply without an answer that was not to be given before their results are there. */
export function withoutAnswer(chosen: CallAction): CallAction {
  const [first, ...others] = chosen.calls
  const kept = others.filter(({ name }) => name !== FINAL_ANSWER)
  return first === undefined || kept.length === others.length ? chosen : withCalls(chosen, [first, ...kept])
}

/** The action with fewer calls than the reply had: the reply is told without the others, as if they had not been made. */
export function withCalls(chosen: CallAction, calls: CallAction['calls']): CallAction {
  return { ...chosen, calls, ...(chosen.reply && { reply: replyWith(chosen.reply, calls) }) }
}

/** The reply with these calls. The text that the endpoint sent holds others. */
export function replyWith({ wire: _sent, ...reply }: Reply, toolCalls: Reply['toolCalls']): Reply {
  return { ...reply, toolCalls }
}
