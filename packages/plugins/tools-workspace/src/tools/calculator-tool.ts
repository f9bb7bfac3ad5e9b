import type { JsonSchema, Tool } from '@harnesswright/core'
import { evaluate } from '../calculator/evaluate.js'
import { formatNumber } from '../calculator/format-number.js'

const PARAMETERS: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    expression: {
      type: 'string',
      description:
        'For example "3 * (4.5 + 2)". Operators + - * / % ^; functions sqrt, abs, round, floor, ceil, min, max, sum.',
    },
  },
  required: ['expression'],
  additionalProperties: false,
}

/** `calculator`. */
export function createCalculatorTool(): Tool {
  return {
    name: 'calculator',
    description:
      'Calculates the value of an arithmetic expression. round(x, n) rounds to n decimals; % is the remainder.',
    parameters: PARAMETERS,
    readOnly: true,
    idempotent: true,
    execute: ({ expression }: { readonly expression: string }) => formatNumber(evaluate(expression)),
  }
}
