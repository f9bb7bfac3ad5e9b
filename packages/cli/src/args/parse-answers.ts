import type { Json, Question } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'

/**
 * Reads `--answer <id>=<value>`, each for one question.
 *
 * @throws HarnessError `E_CLI_OPTION` when one has no value, or a question is answered twice.
 */
export function parseAnswers(texts: readonly string[], questions: readonly Question[]): Readonly<Record<string, Json>> {
  const answers = new Map<string, Json>()
  for (const text of texts) {
    const [id, value] = splitAnswer(text, questions)
    if (answers.has(id)) throw wrongAnswer(text, `one answer to ${id}`)
    answers.set(id, readAnswer(value, questions.find((question) => question.id === id)?.schema))
  }
  return Object.fromEntries(answers)
}

/** An id may hold any character: that of a question is known, any other ends at the first sign. */
function splitAnswer(text: string, questions: readonly Question[]): readonly [id: string, value: string] {
  const known = questions.map(({ id }) => id).find((id) => text.startsWith(`${id}=`))
  const end = known?.length ?? text.indexOf('=')
  if (end < 1) throw wrongAnswer(text, '<id>=<value>')
  return [text.slice(0, end), text.slice(end + 1)]
}

/** What a person wrote: JSON where a shape is asked for and it is some, else the text as it is. */
export function readAnswer(text: string, schema: Question['schema']): Json {
  const takesText = schema === undefined || [schema['type']].flat().includes('string')
  if (takesText) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function wrongAnswer(text: string, expected: string): Error {
  return cliError('E_CLI_OPTION', {
    message: `--answer ${JSON.stringify(text)} is no answer.`,
    where: '--answer',
    expected,
    fix: "Write --answer '<id>=<value>' once for each question, with the ids that the run told.",
  })
}
