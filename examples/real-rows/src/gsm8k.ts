import type { Json, RunResult, Task, Tool } from '@harnesswright/core'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { readRows } from './read-rows.js'
import type { Score, Suite } from './suite.js'

/** A question of grade-school mathematics. The number after `####` is its answer. */
export interface Gsm8kRow {
  readonly id: string
  readonly question: string
  readonly answer: string
}

/** GSM8K: questions in words, whose answer is one number. */
export function gsm8k(calculator: Tool): Suite<Gsm8kRow> {
  return {
    name: 'gsm8k',
    rows: readRows<Gsm8kRow>('gsm8k/test.dev.jsonl'),
    task: ({ id, question }): Task => ({
      id,
      instruction: `${question}\n\nWork it out in short steps. End with "The answer is" and the number.`,
    }),
    tools: () => [calculator],
    score: ({ answer }, result: RunResult) => scoreNumber(answer, result.answer),
  }
}

/** The tool `calculator` of a workspace that is not used otherwise. */
export function takeCalculator(folder: string): Tool {
  const found = openWorkspace(folder).tools.find(({ name }) => name === 'calculator')
  if (found === undefined) throw new Error('the tools of a workspace have no calculator')
  return found
}

/** Whether the number that an answer ends with is that of the reference. */
export function scoreNumber(reference: string, answer: Json): Score {
  const expected = finalNumber(reference)
  if (expected === undefined) throw new Error(`the reference has no number: ${reference.slice(-40)}`)
  const found = typeof answer === 'number' ? answer : typeof answer === 'string' ? finalNumber(answer) : undefined
  if (found === undefined) return { reward: 0, detail: `no number, expected ${expected}` }
  return { reward: found === expected ? 1 : 0, detail: `${found}, expected ${expected}` }
}

/** With a sign that does not follow a number or word, commas between groups of three digits, and decimals. */
const NUMBER = /(?<![\w.)])-?\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|(?<!\d)\.\d+/g

/** The first number after the last `####`, else the last one of the text. */
export function finalNumber(text: string): number | undefined {
  const mark = text.lastIndexOf('####')
  const numbers = (mark < 0 ? text : text.slice(mark + 4)).match(NUMBER) ?? []
  const chosen = mark < 0 ? numbers.at(-1) : numbers[0]
  return chosen === undefined ? undefined : Number(chosen.replace(/[$,]/g, ''))
}
