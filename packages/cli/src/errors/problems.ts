import type { Problem } from '@harnesswright/core'
import { cleanLine, cleanText } from '../text/clean.js'

/** Problems of a manifest as numbered lines, in their order. */
export function renderProblems(problems: readonly Problem[]): string[] {
  return problems.flatMap((problem, index) => renderProblem(problem, index + 1))
}

function renderProblem(problem: Problem, number: number): string[] {
  const { code, pointer, found, expected, nearest, fix } = problem
  const indent = ' '.repeat(String(number).length + 2)
  const at = pointer === '' ? 'the manifest itself' : cleanLine(pointer)
  const lines = [
    ...ownMessage(problem),
    `found: ${cleanLine(found)}`,
    `expected: ${cleanLine(expected, 400)}`,
    ...(nearest.length === 0 ? [] : [`nearest: ${nearest.map((name) => cleanLine(name)).join(', ')}`]),
    `fix: ${cleanText(fix)}`,
  ]
  return [`${number}. ${code} at ${at}`, ...lines.map((line) => `${indent}${line.replaceAll('\n', `\n${indent}`)}`)]
}

/** The message, where it says more than what was found and expected, which have lines of their own. */
function ownMessage({ message, found, expected }: Problem): string[] {
  return message.includes(found) && message.includes(expected) ? [] : [cleanText(message)]
}
