import { defineTool, type Tool } from '@harnesswright/core'
import { z } from 'zod'
import { evaluate } from '../calculator/evaluate.js'
import { formatNumber } from '../calculator/format-number.js'

const Input = z.strictObject({
  expression: z
    .string()
    .describe(
      'For example "3 * (4.5 + 2)". Operators + - * / % ^; functions sqrt, abs, round, floor, ceil, min, max, sum.',
    ),
})

/** `calculator`. */
export function createCalculatorTool(): Tool {
  return defineTool({
    name: 'calculator',
    description:
      'Calculates the value of an arithmetic expression. round(x, n) rounds to n decimals; % is the remainder.',
    input: Input,
    readOnly: true,
    idempotent: true,
    execute: ({ expression }) => formatNumber(evaluate(expression)),
  })
}
