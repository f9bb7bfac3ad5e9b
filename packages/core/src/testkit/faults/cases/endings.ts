import { callTools, inTurn, say } from '../answer.js'
import type { FaultCase } from '../case.js'
import {
  DONE,
  expectNoAnswer,
  expectReason,
  expectRequests,
  expectThat,
  type FaultTrace,
  isTold,
  requestAt,
} from '../trace.js'
import { wireCall } from '../wire.js'
import { expectOneSum } from './calls.js'
import { BOTH, final, SUM } from './parts.js'

/** Most requests of a run in which the model does the same again and again. */
const MOST_REPEATS = 30

/** An empty reply is asked for once more at most, and no answer is made of it. */
function expectEmptyReply(trace: FaultTrace): void {
  expectRequests(trace, 1, 2)
  expectNoAnswer(trace, 'an end without an answer')
  expectReason(trace, 'empty_reply')
}

/** How replies may end, and what may be missing of them. */
export const ENDING_CASES: readonly FaultCase[] = [
  {
    id: 'calls-finish-without-calls',
    sentence: 'The endpoint says `tool_calls` and gives none, sixty times.',
    expects: 'At most one more request is made; then the run ends with the reason empty_reply.',
    modes: BOTH,
    scenes: [
      {
        script: (request, earlier) =>
          (request.index < 60 ? say('', { finish: 'tool_calls' }) : final)(request, earlier),
        check: expectEmptyReply,
      },
    ],
  },
  {
    id: 'empty-final',
    sentence: 'Every reply is empty: no text and no calls.',
    expects: 'At most one more request is made; then the run ends with the reason empty_reply.',
    modes: BOTH,
    scenes: [{ script: say(null), check: expectEmptyReply }],
  },
  {
    id: 'no-usage',
    sentence: 'The endpoint does not say what a reply used.',
    expects: 'The usage of the run is unknown: null or absent, and not 0.',
    modes: BOTH,
    scenes: [
      {
        script: inTurn(callTools([wireCall('c1', 'add', SUM)], { usage: null }), say(DONE, { usage: null })),
        check: (trace) => {
          expectOneSum(trace)
          if (!isTold(trace, 'usage', 'that usage which is not known is not 0')) return
          const { inputTokens = null, outputTokens = null } = trace.outcome?.usage ?? {}
          expectThat(
            inputTokens === null && outputTokens === null,
            'no counts of tokens',
            `${inputTokens} tokens in, ${outputTokens} out`,
          )
        },
      },
    ],
  },
  {
    id: 'repeat-forever',
    sentence: 'The model makes the same call 150 times, with the same result.',
    expects: `The run ends with the reason loop, after at most ${MOST_REPEATS} requests.`,
    modes: BOTH,
    scenes: [
      {
        script: (request, earlier) =>
          (request.index < 150 ? callTools([wireCall(`c${request.index}`, 'add', SUM)]) : final)(request, earlier),
        check: (trace) => {
          requestAt(trace, 1)
          expectRequests(trace, 0, MOST_REPEATS)
          expectReason(trace, 'loop')
        },
      },
    ],
  },
]
