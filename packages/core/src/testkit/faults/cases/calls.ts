import { callTools, inTurn, reply } from '../answer.js'
import type { FaultCase } from '../case.js'
import {
  type Exchange,
  exchangesOf,
  expectAnswer,
  expectRequests,
  expectThat,
  expectToolRuns,
  type FaultTrace,
  onlyExchange,
  requestAt,
} from '../trace.js'
import { wireCall } from '../wire.js'
import { ARGS, BOTH, callThenAnswer, expectTold, final, SUM } from './parts.js'

const REASONING = 'I should add.'

/** The call of the script was made once, and its result sent back. */
export function expectOneSum(trace: FaultTrace): Exchange {
  expectToolRuns(trace, [ARGS])
  const exchange = onlyExchange(trace)
  expectThat(exchange.result.trim() === '3', 'the result 3', `the result ${JSON.stringify(exchange.result)}`)
  const { a, b } = exchange.args
  expectThat(a === 1 && b === 2, `the arguments ${SUM} in request 2`, JSON.stringify(exchange.args))
  expectRequests(trace, 2)
  expectAnswer(trace)
  return exchange
}

/** Two calls were made, and their results sent back under ids of their own, in the order of the calls. */
export function expectTwoSums(trace: FaultTrace): void {
  expectToolRuns(trace, [ARGS, { a: 3, b: 4 }])
  const results = exchangesOf(trace).map(({ args, result }) => `${String(args['a'])}+${String(args['b'])}=${result}`)
  expectThat(
    results.join(', ') === '1+2=3, 3+4=7',
    'the results 1+2=3, 3+4=7 in request 2',
    `the results ${results.join(', ')}`,
  )
  expectRequests(trace, 2)
  expectAnswer(trace)
}

/** What may be odd about the calls of a reply. */
export const CALL_CASES: readonly FaultCase[] = [
  {
    id: 'ok',
    sentence: 'Nothing goes wrong: one call, then the answer.',
    expects: 'The tool runs once, the next request pairs the call with its result, and the answer comes through.',
    modes: BOTH,
    scenes: [{ script: callThenAnswer(), check: expectOneSum }],
  },
  {
    id: 'unknown-tool',
    sentence: 'The model calls a tool that there is not.',
    expects: 'No tool runs; the next request tells the model so, with the names that there are.',
    modes: BOTH,
    scenes: [
      {
        script: callThenAnswer(SUM, 'add_numbers'),
        check: (trace) => {
          expectToolRuns(trace, [])
          expectTold(trace, 'which tools there are', [/\badd\b/])
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'stop-with-calls',
    sentence: 'A reply with a call says that it ended with `stop`.',
    expects: 'The call is made once, and the next request pairs it with its result.',
    modes: BOTH,
    scenes: [
      {
        script: inTurn(callTools([wireCall('c1', 'add', SUM)], { finish: 'stop' }), final),
        check: expectOneSum,
      },
    ],
  },
  {
    id: 'dup-ids',
    sentence: 'Two calls of one reply have the same id.',
    expects: 'Both run; the next request has both under ids that differ, each with its own result.',
    modes: BOTH,
    scenes: [
      {
        script: inTurn(callTools([wireCall('same', 'add', SUM), wireCall('same', 'add', '{"a":3,"b":4}')]), final),
        check: expectTwoSums,
      },
    ],
  },
  {
    id: 'missing-id',
    sentence: 'A call has no id.',
    expects: 'It runs once; the next request has it under an id that was given to it, with its result.',
    modes: BOTH,
    scenes: [{ script: inTurn(callTools([wireCall(undefined, 'add', SUM)]), final), check: expectOneSum }],
  },
  {
    id: 'reasoning',
    sentence: 'The model reasons before it calls a tool.',
    expects: 'The next request sends the reasoning back with the call, as some endpoints refuse it otherwise.',
    modes: BOTH,
    scenes: [
      {
        script: inTurn(
          reply({ content: null, reasoning_content: REASONING, tool_calls: [wireCall('c1', 'add', SUM)] }),
          final,
        ),
        check: (trace) => {
          expectOneSum(trace)
          const message = requestAt(trace, 1).body.messages.find(({ tool_calls: calls }) => calls !== undefined)
          const sent = message?.['reasoning_content'] ?? message?.['reasoning']
          expectThat(
            sent === REASONING,
            `the reasoning ${JSON.stringify(REASONING)} in the message with the call`,
            `the reasoning ${JSON.stringify(sent ?? null)}`,
          )
        },
      },
    ],
  },
]
