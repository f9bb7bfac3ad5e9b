import type { CheckProblem } from '../../check/problem.js'
import { shorten } from './catalog-text.js'

const MAX_PROBLEMS = 12
const MAX_PROBLEM_CHARS = 300

/** Why the last reply could not be used, for a second one. */
export function retryText(problems: readonly CheckProblem[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ code, pointer, message, fix }) => {
    return `- ${pointer === '' ? 'the manifest' : pointer}: ${shorten(`${message} ${fix}`, MAX_PROBLEM_CHARS)} (${code})`
  })
  const more = problems.length > MAX_PROBLEMS ? [`- and ${problems.length - MAX_PROBLEMS} more`] : []
  return `No harness can be made of that:\n${[...lines, ...more].join('\n')}\n\nReply with the whole JSON object again, mended. Change only what is wrong.`
}
