import { callTools, inTurn } from '../answer.js'
import type { FaultCase } from '../case.js'
import { realTime } from '../clocks.js'
import {
  clip,
  describeEnd,
  exchangesOf,
  expectAnswer,
  expectRequests,
  expectThat,
  expectToolRuns,
  expectWarning,
  type FaultTrace,
  nameOf,
  onlyExchange,
  requestAt,
} from '../trace.js'
import { wireCall } from '../wire.js'
import { BOTH, callThenAnswer, final } from './parts.js'

const SLOW_MS = 30
const HUGE = 2_000_000
/** Largest request in bytes that may follow a result of 2 MB. */
const MOST_BYTES = 1_000_000
const HEAD = 'first line of the result'
/** A half of a pair of code units, which no text may hold. */
const LONE = '\ud83d'
const LONE_SURROGATE = /\p{Surrogate}/u
/** Places in code, as stacks name them. */
const STACK = /\n\s+at \S|\.[cm]?[jt]s:\d+:\d+/

/** A tool that blows up at -1. */
function blowUp({ a, b }: { readonly [name: string]: unknown }): string {
  if (a === -1) throw new Error('the tool blew up')
  return String(Number(a) + Number(b))
}

/** Results of request 2, by the first argument of their calls. */
function resultsOf(trace: FaultTrace): readonly (readonly [a: unknown, result: string])[] {
  return exchangesOf(trace).map(({ args, result }) => [args['a'], result])
}

/** What tools may do. */
export const TOOL_CASES: readonly FaultCase[] = [
  {
    id: 'parallel',
    sentence: 'Of two calls of one reply the first takes longer.',
    expects: 'Both run; the next request has their results in the order of the calls.',
    modes: BOTH,
    scenes: [
      {
        tool: async ({ a }) => {
          if (a === 100) await realTime(SLOW_MS)
          return String(a)
        },
        script: inTurn(
          callTools([wireCall('slow', 'add', '{"a":100,"b":0}'), wireCall('fast', 'add', '{"a":1,"b":0}')]),
          final,
        ),
        check: (trace) => {
          expectToolRuns(trace, [
            { a: 100, b: 0 },
            { a: 1, b: 0 },
          ])
          const found = JSON.stringify(resultsOf(trace))
          expectThat(found === '[[100,"100"],[1,"1"]]', 'the slow result and then the fast one in request 2', found)
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'parallel-one-throws',
    sentence: 'Of two calls of one reply the first throws.',
    expects: 'The other one runs all the same; the next request has an error and a result, in the order of the calls.',
    modes: BOTH,
    scenes: [
      {
        tool: blowUp,
        script: inTurn(
          callTools([wireCall('boom', 'add', '{"a":-1,"b":0}'), wireCall('fine', 'add', '{"a":1,"b":0}')]),
          final,
        ),
        check: (trace) => {
          expectToolRuns(trace, [
            { a: -1, b: 0 },
            { a: 1, b: 0 },
          ])
          const results = resultsOf(trace)
          const [failed, fine] = results
          expectThat(
            failed?.[0] === -1 && failed[1].trim() !== '' && fine?.[0] === 1 && fine[1].trim() === '1',
            'an error and then the result 1 in request 2',
            JSON.stringify(results),
          )
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'tool-throws',
    sentence: 'A tool throws.',
    expects: 'The next request tells the model that it failed, without the stack of the error.',
    modes: BOTH,
    scenes: [
      {
        tool: blowUp,
        script: callThenAnswer('{"a":-1,"b":0}'),
        check: (trace) => {
          const { result } = onlyExchange(trace)
          expectThat(
            /error|fail|blew/i.test(result),
            'a result that says that the tool failed',
            `the result ${clip(JSON.stringify(result))}`,
          )
          expectThat(!STACK.test(result), 'no stack in the result', `the result ${clip(JSON.stringify(result))}`)
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'huge-output',
    sentence: 'A tool returns two million characters.',
    expects: `The next request has less than ${MOST_BYTES} bytes, with the head of the result and words on what is left out.`,
    modes: BOTH,
    scenes: [
      {
        tool: () => HEAD + 'x'.repeat(HUGE),
        script: callThenAnswer(),
        check: (trace) => {
          const { bytes } = requestAt(trace, 1)
          expectThat(bytes < MOST_BYTES, `less than ${MOST_BYTES} bytes in request 2`, `${bytes} bytes`)
          const { result } = onlyExchange(trace)
          expectThat(result.startsWith(HEAD), 'the head of the result', clip(JSON.stringify(result), 60))
          const rest = result.slice(HEAD.length).replace(/x/g, '').trim()
          expectThat(rest !== '', 'words on what is left out of the result', 'a result that just ends')
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'surrogate-output',
    sentence: 'A tool returns half of a surrogate pair.',
    expects: 'The next request has the text around it, and no half pair: endpoints refuse it.',
    modes: BOTH,
    scenes: [
      {
        tool: () => `bad ${LONE} tail`,
        script: callThenAnswer(),
        check: (trace) => {
          const { result } = onlyExchange(trace)
          expectThat(
            !LONE_SURROGATE.test(result) && !result.includes('\\ud83d'),
            'a result without half a surrogate pair',
            `the result ${JSON.stringify(result)}`,
          )
          expectThat(
            /^bad .* tail$/su.test(result.trim()),
            'the text around it',
            `the result ${JSON.stringify(result)}`,
          )
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'abort-in-tool',
    sentence: 'The run is aborted while a tool runs that ignores its signal.',
    expects: 'It settles as aborted at once; the late result is discarded, warned of, and never sent.',
    modes: BOTH,
    scenes: [
      {
        patienceMs: 5_000,
        tool: async (_args, { released }) => {
          await released
          return 'a late result'
        },
        script: callThenAnswer(),
        drive: async (stage) => {
          await stage.toolStarted
          stage.abort()
          await stage.ended
          stage.release()
        },
        check: expectAborted,
      },
    ],
  },
]

function expectAborted(trace: FaultTrace): void {
  const { outcome, error, settledMs, settleMs } = trace
  expectThat(
    settledMs !== undefined && settledMs < settleMs && (outcome !== undefined || error !== undefined),
    `an end within ${settleMs} ms of the abort`,
    settledMs === undefined
      ? 'no call of the tool'
      : `${describeEnd(trace)}, ${Math.round(settledMs)} ms after the abort`,
  )
  const isAborted = outcome === undefined ? /abort/i.test(nameOf(error)) : outcome.status === 'aborted'
  expectThat(isAborted, 'an end that says that the run was aborted', describeEnd(trace))
  expectThat(trace.toolRuns[0]?.isFinished === true, 'a tool that goes on to its end', 'a tool that did not')
  expectRequests(trace, 1)
  expectWarning(trace, 'the late result')
}
