import type { Problem } from '@harnesswright/core'
import { cleanLine, cleanText } from '../text/clean.js'

/** Problems of a manifest as numbered lines, in their order. */
export function renderProblems(problems: readonly Problem[]): string[] {
  return problems.flatMap((problem, index) => renderProblem(problem, index + 1))
}

function renderProblem(problem: Problem, number: number): string[] {
  const { code, pointer, message, found, expected, nearest, fix } = problem
  const indent = ' '.repeat(String(number).length + 2)
  const at = pointer === '' ? 'the manifest itself' : cleanLine(pointer)
  return [
    `${number}. ${code} at ${at}`,
    `${indent}${cleanText(message).replaceAll('\n', `\n${indent}`)}`,
    `${indent}found: ${cleanLine(found)}`,
    `${indent}expected: ${cleanLine(expected, 400)}`,
    ...(nearest.length === 0 ? [] : [`${indent}nearest: ${nearest.map((name) => cleanLine(name)).join(', ')}`]),
    `${indent}fix: ${cleanText(fix).replaceAll('\n', `\n${indent}`)}`,
  ]
}
