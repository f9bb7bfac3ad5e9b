import type { JsonObject, RunResult, Step, Task, Tool } from '@harnesswright/core'
import type { Suite } from '../suite.js'
import { normaliseSchema } from './normalise-schema.js'
import { type BfclFunction, type BfclRow, type Category, readBfcl } from './rows.js'
import { type MadeCall, scoreCalls } from './score-calls.js'

/** A harness may answer without a call; the rows mean that functions are called wherever they fit. */
const ADVICE = 'Call the tools that fit, each once, with the values of the question. When they were called, say "done".'

/** BFCL v4: whether the right functions are called with the right values. The functions themselves do nothing. */
export function bfcl(category: Category, warn: (warning: string) => void = () => {}): Suite<BfclRow> {
  return {
    name: `bfcl:${category}`,
    rows: readBfcl(category),
    task: ({ id, question }): Task => ({ id, instruction: [...textsOf(question), ADVICE].join('\n\n') }),
    tools: (row) => row.function.map((one) => toolOf(one, warn)),
    score: (row, result) => scoreCalls(row, madeCalls(result.steps)),
    scoreFirst: (row, result) => scoreCalls(row, firstCalls(result)),
  }
}

function textsOf(question: BfclRow['question']): readonly string[] {
  return question.flat().map(({ content }) => content)
}

function toolOf({ name, description, parameters }: BfclFunction, warn: (warning: string) => void): Tool {
  const { schema, warnings } = normaliseSchema(parameters)
  for (const warning of warnings) warn(`${name} ${warning}`)
  return { name, description, parameters: schema, execute: () => `${name} was called, and is done.` }
}

/** The calls of some steps that were carried out: those that were refused as they do not fit their schema are not among them. */
function madeCalls(steps: readonly Step[]): readonly MadeCall[] {
  return steps.flatMap(({ messages, observations }) => {
    const carriedOut = new Set(observations.flatMap(({ ok, callId }) => (ok ? [callId] : [])))
    return messages.flatMap(({ toolCalls = [] }) =>
      toolCalls
        .filter(({ id }) => carriedOut.has(id))
        .map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as JsonObject })),
    )
  })
}

/** The calls of the first step that made any, as the benchmark itself looks at one reply. */
function firstCalls({ steps }: RunResult): readonly MadeCall[] {
  const first = steps.find((step) => madeCalls([step]).length > 0)
  return first === undefined ? [] : madeCalls([first])
}
