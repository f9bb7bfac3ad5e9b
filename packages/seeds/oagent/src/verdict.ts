import type { Json, JsonSchema } from '@harnesswright/core'

/** What the critic scores. */
const MARKS = ['compliance', 'evidence', 'logic', 'specificity'] as const

/** What the critic said. */
export interface Verdict {
  /** Number of the expert. */
  readonly expert: number
  /** Empty: the answer of that expert stands. */
  readonly answer: string
  readonly scores: Json
}

const NUMBER = { type: 'integer', minimum: 1 } as const
const MARK = { type: 'integer', minimum: 0, maximum: 10 } as const

/** The form of a verdict. The title names the purpose for models that tell replies apart by it. */
export const VERDICT_SCHEMA: JsonSchema = {
  title: 'judge',
  type: 'object',
  properties: {
    scores: {
      type: 'array',
      items: {
        type: 'object',
        properties: { expert: NUMBER, ...Object.fromEntries(MARKS.map((mark) => [mark, MARK])) },
        required: ['expert', ...MARKS],
        additionalProperties: false,
      },
    },
    selected_expert: { ...NUMBER, description: 'Number of the expert whose work stands.' },
    answer: { type: 'string', description: 'The whole answer to the task, in the form that it asks for.' },
  },
  required: ['scores', 'selected_expert', 'answer'],
  additionalProperties: false,
}

/** The verdict in a reply; undefined where none can be read, or it selects an expert that there is not. */
export function readVerdict(text: string, numbers: readonly number[]): Verdict | undefined {
  const said = readObject(text)
  const expert = Number(said['selected_expert'])
  if (!numbers.includes(expert)) return undefined
  const { answer, scores } = said
  return { expert, answer: typeof answer === 'string' ? answer.trim() : '', scores: (scores ?? []) as Json } // of JSON
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
