import { callDeltas, inTurn, say } from '../answer.js'
import type { FaultCase } from '../case.js'
import { describeEnd, expectAnswer, expectRequests, expectThat, isTold } from '../trace.js'
import { wireCall } from '../wire.js'
import { expectOneSum, expectTwoSums } from './calls.js'
import { final, STREAM, SUM } from './parts.js'

const OTHER = '{"a":3,"b":4}'
/** Bytes of a piece: fewer than two characters of the text have. */
const PIECE_BYTES = 7
const TEXT = 'こんにちは世界🌍完了'

/** What may be odd about a stream. */
export const STREAM_CASES: readonly FaultCase[] = [
  {
    id: 'stream-same-index',
    sentence: 'Two calls of a stream both have the index 0.',
    expects: 'Both run with their own arguments; the next request has both results.',
    modes: STREAM,
    scenes: [
      {
        script: inTurn(
          callDeltas([[{ index: 0, ...wireCall('ca', 'add', SUM) }], [{ index: 0, ...wireCall('cb', 'add', OTHER) }]]),
          final,
        ),
        check: expectTwoSums,
      },
    ],
  },
  {
    id: 'stream-no-index',
    sentence: 'The deltas of a call have no index.',
    expects: 'The call runs once, with all of its arguments.',
    modes: STREAM,
    scenes: [
      {
        script: inTurn(
          callDeltas([
            [wireCall('ca', 'add', '')],
            [{ function: { arguments: '{"a":1,' } }],
            [{ function: { arguments: '"b":2}' } }],
          ]),
          final,
        ),
        check: expectOneSum,
      },
    ],
  },
  {
    id: 'stream-index-gap',
    sentence: 'The calls of a stream have the indices 1 and 3.',
    expects: 'Two calls run, and no empty one; the next request has both results.',
    modes: STREAM,
    scenes: [
      {
        script: inTurn(
          callDeltas([[{ index: 1, ...wireCall('ca', 'add', SUM) }], [{ index: 3, ...wireCall('cb', 'add', OTHER) }]]),
          final,
        ),
        check: expectTwoSums,
      },
    ],
  },
  {
    id: 'stream-utf8-split',
    sentence: 'The bytes of a stream arrive in pieces that end inside characters.',
    expects: 'The answer is the text, character by character.',
    modes: STREAM,
    scenes: [
      {
        script: say(TEXT, { pieceBytes: PIECE_BYTES }),
        check: (trace) => {
          expectThat(trace.outcome?.text === TEXT, `the answer ${JSON.stringify(TEXT)}`, describeEnd(trace))
          expectRequests(trace, 1)
        },
      },
    ],
  },
  {
    id: 'stream-no-done',
    sentence: 'A stream ends without `[DONE]`.',
    expects: 'What it said is the answer, and no second request is made.',
    modes: STREAM,
    scenes: [
      {
        script: say('no done marker', { noDone: true }),
        check: (trace) => {
          expectAnswer(trace, 'no done marker')
          expectRequests(trace, 1)
        },
      },
    ],
  },
  {
    id: 'stream-usage-null-choices',
    sentence: 'The chunk with the usage has `choices: null`.',
    expects: 'What the stream said is the answer, and the usage is the one of that chunk.',
    modes: STREAM,
    scenes: [
      {
        script: say('usage chunk', { nullChoices: true }),
        check: (trace) => {
          expectAnswer(trace, 'usage chunk')
          expectRequests(trace, 1)
          if (!isTold(trace, 'usage', 'that the usage is that of the chunk')) return
          const { inputTokens = null, outputTokens = null } = trace.outcome?.usage ?? {}
          expectThat(
            inputTokens === 10 && outputTokens === 5,
            '10 tokens in, 5 out',
            `${inputTokens} tokens in, ${outputTokens} out`,
          )
        },
      },
    ],
  },
]
