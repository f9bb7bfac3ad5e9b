import { chunk, EVENTS, inTurn, refuse } from '../answer.js'
import type { FaultCase, FaultStage } from '../case.js'
import { settle } from '../clocks.js'
import {
  describeEnd,
  expectAnswer,
  expectNoAnswer,
  expectRequests,
  expectThat,
  type FaultTrace,
  requestAt,
} from '../trace.js'
import { BOTH, final, STREAM } from './parts.js'

const RETRY_AFTER_MS = 2_000
/** Timers may be a little early. Also the step in which time passes where a scene moves it. */
const TOLERANCE_MS = 100

/** Lets time pass a little after the first request, again and again, until there is a second one. */
async function letPass(stage: FaultStage): Promise<void> {
  await stage.request(0)
  while (!stage.isOver && stage.clock.now() < 10 * RETRY_AFTER_MS) {
    await settle()
    stage.clock.advance(TOLERANCE_MS)
  }
}

/** The second request asks the same as the first. */
function expectSameAgain(trace: FaultTrace): void {
  expectRequests(trace, 2)
  const [first, second] = [requestAt(trace, 0), requestAt(trace, 1)].map(({ body }) => JSON.stringify(body.messages))
  expectThat(first === second, 'the same messages in request 2', 'other messages')
}

/** What may happen on the line, and how endpoints refuse. */
export const LINE_CASES: readonly FaultCase[] = [
  {
    id: 'rate-limit',
    sentence: 'The first request is refused with 429, and `retry-after: 2`.',
    expects: 'The same request is made again after two seconds, not before.',
    modes: BOTH,
    scenes: [
      {
        clock: 'manual',
        drive: letPass,
        script: inTurn(
          refuse(
            429,
            { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
            { 'retry-after': String(RETRY_AFTER_MS / 1_000) },
          ),
          final,
        ),
        check: (trace) => {
          expectSameAgain(trace)
          const waitedMs = requestAt(trace, 1).at - requestAt(trace, 0).at
          expectThat(
            waitedMs >= RETRY_AFTER_MS - TOLERANCE_MS,
            `${RETRY_AFTER_MS} ms between the requests`,
            `${Math.round(waitedMs)} ms`,
          )
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'err-500-once',
    sentence: 'The first request is answered with 500.',
    expects: 'The same request is made once more.',
    modes: BOTH,
    scenes: [
      {
        script: inTurn(refuse(500, { message: 'oops', type: 'server_error' }), final),
        check: (trace) => {
          expectSameAgain(trace)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'cut-stream',
    sentence: 'The line is cut in the middle of a stream.',
    expects: 'The same request is made again, or the run fails; half of a text is never the answer.',
    modes: STREAM,
    scenes: [
      {
        script: inTurn(
          () => ({ headers: EVENTS, pieces: [chunk({ role: 'assistant', content: 'half of ' })], end: 'cut' }),
          final,
        ),
        check: (trace) => {
          if (trace.requests.length === 1) return expectNoAnswer(trace, 'a failure, as no request was made again')
          expectSameAgain(trace)
          expectAnswer(trace)
          expectThat(trace.outcome?.text?.includes('half of') === false, 'the answer alone', describeEnd(trace))
        },
      },
    ],
  },
]
