import type { JsonSchema } from '@harnesswright/protocol'
import { callTools, type FaultScript, inTurn, say } from '../answer.js'
import type { FaultMode } from '../case.js'
import { DONE, expectThat, type FaultTrace, onlyExchange } from '../trace.js'
import { wireCall } from '../wire.js'

/** Replies in one piece and as a stream. */
export const BOTH: readonly FaultMode[] = ['plain', 'stream']
/** Replies as a stream alone. */
export const STREAM: readonly FaultMode[] = ['stream']

/** Arguments of the tool `add`. */
export const ARGS = { a: 1, b: 2 } as const
export const SUM: string = JSON.stringify(ARGS)

/** The answer of most scripts. */
export const final: FaultScript = say(DONE)

/** One call of `add`, and then the answer. */
export function callThenAnswer(args: string = SUM, name: string = 'add'): FaultScript {
  return inTurn(callTools([wireCall('c1', name, args)]), final)
}

/** Parameters of `add` of which none is required, so that an empty object would do. */
export const OPTIONAL: JsonSchema = {
  type: 'object',
  properties: { a: { type: 'number', default: 0 }, b: { type: 'number', default: 0 } },
  additionalProperties: false,
}

/** The model was told that its call was not made, or failed. */
export function expectTold(trace: FaultTrace, what: string, words: readonly RegExp[] = []): void {
  const { result } = onlyExchange(trace)
  const isTold = result.trim() !== '' && words.every((word) => word.test(result))
  expectThat(isTold, `a result that tells the model ${what}`, `the result ${JSON.stringify(result.slice(0, 300))}`)
}
