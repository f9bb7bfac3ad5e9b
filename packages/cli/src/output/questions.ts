import type { Question } from '@harnesswright/core'
import { cleanLine, cleanText } from '../text/clean.js'

/** A question to a person, with its id. Records that come from elsewhere may hold anything. */
export function questionText({ id, question }: Pick<Question, 'id' | 'question'>): string {
  return `question ${cleanLine(String(id))}: ${cleanText(String(question)).replaceAll('\n', '\n  ')}`
}

/** The shape that the answer must have, where it must have one. */
export function shapeText({ schema }: Question): string | undefined {
  return schema === undefined
    ? undefined
    : `  the answer is JSON of the shape ${cleanLine(JSON.stringify(schema), 400)}`
}

/** The command that goes on with a run, with a place for each answer. */
export function resumeCommand(run: string, questions: readonly Question[]): string {
  const answers = questions.map(({ id }) => ` --answer ${quote(`${cleanLine(id)}=…`)}`)
  return `harnesswright resume ${quote(run)}${answers.join('')}`
}

/** A word as a shell takes it. */
function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
