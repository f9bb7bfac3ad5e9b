import { callTools, inTurn } from '../answer.js'
import type { FaultCase, FaultScene } from '../case.js'
import {
  exchangesOf,
  expectAnswer,
  expectRequests,
  expectThat,
  expectToolRuns,
  type FaultTrace,
  onlyExchange,
} from '../trace.js'
import { wireCall } from '../wire.js'
import { BOTH, callThenAnswer, expectTold, final, OPTIONAL } from './parts.js'

/** Nothing ran, the model was told, and it went on. */
function expectRefused(trace: FaultTrace): void {
  expectToolRuns(trace, [])
  expectTold(trace, 'what is wrong with its arguments', [/error|invalid|argument|json|must|expected/i])
  expectRequests(trace, 2)
  expectAnswer(trace)
}

/** Arguments that are no object: for a tool that needs some, and for one that would also run without any. */
function unreadable(args: string): readonly FaultScene[] {
  const script = callThenAnswer(args)
  return [
    { name: 'required', script, check: expectRefused },
    { name: 'optional', parameters: OPTIONAL, script, check: expectRefused },
  ]
}

/** What may be wrong with the arguments of a call. */
export const ARGUMENT_CASES: readonly FaultCase[] = [
  {
    id: 'bad-json',
    sentence: 'The arguments of a call are JSON that is cut in the middle.',
    expects:
      'The tool does not run, not even where it would take no arguments; the next request tells the model, and has arguments that are JSON.',
    modes: BOTH,
    scenes: [
      ...unreadable('{"a":1,"b":'),
      {
        name: 'beside-a-good-one',
        script: inTurn(callTools([wireCall('c1', 'add', '{"a":1,'), wireCall('c2', 'add', '{"a":3,"b":4}')]), final),
        check: (trace) => {
          expectToolRuns(trace, [{ a: 3, b: 4 }])
          const results = exchangesOf(trace).map(({ result }) => result.trim())
          expectThat(
            results.length === 2 && results[1] === '7' && results[0] !== '',
            'an error and the result 7 in request 2',
            `the results ${JSON.stringify(results)}`,
          )
          expectRequests(trace, 2)
          expectAnswer(trace)
        },
      },
    ],
  },
  {
    id: 'non-object-args',
    sentence: 'The arguments of a call are an array.',
    expects: 'The tool does not run; the next request tells the model, and has arguments that are an object.',
    modes: BOTH,
    scenes: unreadable('[1,2]'),
  },
  {
    id: 'empty-args',
    sentence: 'The arguments of a call are an empty text, and the tool needs some.',
    expects: 'The tool does not run; the next request tells the model, and has arguments that are JSON.',
    modes: BOTH,
    scenes: [{ script: callThenAnswer(''), check: expectRefused }],
  },
  {
    id: 'wrong-type',
    sentence: 'An argument is a text where a number is wanted.',
    expects: 'It becomes the number that it says, or the next request tells the model which argument must be a number.',
    modes: BOTH,
    scenes: [
      { name: 'number-as-text', script: callThenAnswer('{"a":"1","b":2}'), check: expectNumberOrWords },
      {
        name: 'word',
        script: callThenAnswer('{"a":"one","b":2}'),
        check: (trace) => {
          expectToolRuns(trace, [])
          expectNumberOrWords(trace)
        },
      },
    ],
  },
]

/** The tool got the number, or did not run and the model was told of `a`. */
function expectNumberOrWords(trace: FaultTrace): void {
  if (trace.toolRuns.length === 0) expectTold(trace, 'that `a` must be a number', [/\ba\b/, /number/i])
  else {
    expectToolRuns(trace, [{ a: 1, b: 2 }])
    const { result } = onlyExchange(trace)
    expectThat(result.trim() === '3', 'the result 3', `the result ${JSON.stringify(result)}`)
  }
  expectRequests(trace, 2)
  expectAnswer(trace)
}
