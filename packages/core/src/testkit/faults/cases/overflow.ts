import { callTools, type FaultScript, inTurn, refuse } from '../answer.js'
import type { FaultCase, FaultScene } from '../case.js'
import {
  describeEnd,
  exchangesOf,
  expectAnswer,
  expectNoAnswer,
  expectReason,
  expectRequests,
  expectThat,
  type FaultTrace,
  nameOf,
} from '../trace.js'
import { wireCall } from '../wire.js'
import { BOTH, final } from './parts.js'

const WINDOW_BYTES = 8_192
/** Calls of the scene with many results. */
const MANY = 4

const overflow: FaultScript = refuse(400, {
  message: `This model's maximum context length is ${WINDOW_BYTES} tokens. However, your messages resulted in more.`,
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
})

/** Refuses what is larger than the window. The other script is asked as if that had never come. */
function within(script: FaultScript): FaultScript {
  const fits = ({ bytes }: { readonly bytes: number }): boolean => bytes <= WINDOW_BYTES
  return (request, earlier) => {
    const taken = earlier.filter(fits)
    return fits(request) ? script({ ...request, index: taken.length }, taken) : overflow(request, earlier)
  }
}

function callNumber(number: number): FaultScript {
  return callTools([wireCall(`c${number}`, 'add', JSON.stringify({ a: number, b: 0 }))])
}

function overflowScenes(): readonly FaultScene[] {
  return [
    {
      name: 'one-large-result',
      tool: () => 'x'.repeat(20_000),
      script: within(inTurn(callNumber(1), final)),
      check: (trace) => expectShrunk(trace, 1),
    },
    {
      name: 'many-results',
      tool: () => 'x'.repeat(2_500),
      script: within((request, earlier) =>
        (request.index < MANY ? callNumber(request.index + 1) : final)(request, earlier),
      ),
      check: (trace) => expectShrunk(trace, MANY),
    },
    { name: 'never', script: overflow, check: expectGivenUp },
  ]
}

/** One request was refused, the next one was smaller and was taken, no call was made twice, and the run went on. */
function expectShrunk(trace: FaultTrace, calls: number): void {
  const sizes = trace.requests.map(({ bytes }) => bytes)
  const refused = sizes.findIndex((bytes) => bytes > WINDOW_BYTES)
  const next = sizes[refused + 1]
  expectThat(
    refused > 0 && next !== undefined && next <= WINDOW_BYTES,
    `a request of at most ${WINDOW_BYTES} bytes after the first that is larger`,
    `requests of ${sizes.join(', ')} bytes; ${describeEnd(trace)}`,
  )
  expectThat(trace.toolRuns.length === calls, `${calls} calls of the tool`, `${trace.toolRuns.length} calls`)
  exchangesOf(trace, refused + 1)
  expectAnswer(trace)
}

function expectGivenUp(trace: FaultTrace): void {
  expectRequests(trace, 1, 2)
  const [first, second] = trace.requests.map(({ bytes }) => bytes) as [number, number | undefined]
  expectThat(
    second === undefined || second < first,
    'no second request that is no smaller',
    `requests of ${first} and ${second} bytes`,
  )
  expectNoAnswer(trace, 'an end without an answer')
  if (trace.error === undefined) expectReason(trace, 'context_overflow')
  else expectThat(/context/i.test(nameOf(trace.error)), 'an error that names the context', describeEnd(trace))
}

/** Requests that are larger than the window of the model. */
export const OVERFLOW_CASE: FaultCase = {
  id: 'context-overflow',
  sentence: 'The endpoint refuses requests that are larger than its window, with 400 and the code of that.',
  expects:
    'The request is made once more, smaller, and the run goes on; one that cannot shrink ends the run, after one try, with the reason context_overflow.',
  modes: BOTH,
  scenes: overflowScenes(),
}
