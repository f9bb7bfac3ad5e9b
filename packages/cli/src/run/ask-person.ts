import type { Environment, Json, Question } from '@harnesswright/core'
import { readAnswer } from '../args/parse-answers.js'
import { questionText, shapeText } from '../output/questions.js'
import { cleanLine } from '../text/clean.js'
import type { Host } from './host.js'

/** How a person is asked, where there is a terminal with one. Without, a run that must ask waits. */
export function askerOf(host: Pick<Host, 'io' | 'screen'>): Pick<Environment, 'ask'> {
  const { stdin, stderr } = host.io.isTTY
  if (!stdin || !stderr) return {}
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** One question after another: runs that are under way at once may all ask. */
    ask(question) {
      const asked = last.then(() => askOne(question, host))
      last = asked.catch(() => undefined)
      return asked as Promise<Json> // core takes an answer that is not there as one that is to come
    },
  }
}

/** Nothing typed is no answer: the run waits then. Progress has told the question, unless it is quiet. */
async function askOne(question: Question, { io, screen }: Pick<Host, 'io' | 'screen'>): Promise<Json | undefined> {
  const shape = shapeText(question)
  if (screen.isQuiet) screen.line(questionText(question))
  if (shape !== undefined) screen.line(shape)
  screen.clear()
  const text = (await io.ask(`answer to ${cleanLine(question.id)} (empty: later) > `)).trim()
  return text === '' ? undefined : readAnswer(text, question.schema)
}
