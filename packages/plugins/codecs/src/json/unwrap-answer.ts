import type { JsonSchema, Tool } from '@harnesswright/core'
import type { Unwrap } from '../read/read-plain.js'
import { ANSWER, FINAL_ANSWER } from '../read/reading.js'
import { LISTS, readStep, THOUGHTS } from './step-object.js'

const NO_TOOLS: ReadonlyMap<string, Tool> = new Map()
const FIELDS: readonly string[] = [...LISTS, ...THOUGHTS, FINAL_ANSWER, ANSWER]

/**
 * Takes a value out of the object of a step, which a model goes on to write when nothing can be called any more. A value of
 * whose fields the schema itself asks for one is left as it is.
 */
export function unwrapAnswer(schema: JsonSchema | undefined): Unwrap {
  const properties = schema?.['properties']
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return (value) => {
    const isStep = value.parts.every(({ key = '' }) => FIELDS.includes(key) && !own.includes(key))
    const step = isStep ? readStep(value, { tools: NO_TOOLS, isCut: false, isQuoted: () => false }) : undefined
    if (step?.answer !== undefined) return { answer: step.answer }
    if (step === undefined || step.calls.length === 0) return undefined
    return { fault: 'no tool can be called now.', words: step.think ?? '' }
  }
}
