import { callTools, type FaultScript, inTurn, say } from '../answer.js'
import type { FaultCase, FaultScene } from '../case.js'
import { expectAnswer, expectRequests, expectThat, expectToolRuns, expectWarning, requestAt } from '../trace.js'
import { textOf, wireCall } from '../wire.js'
import { ARGS, BOTH, final, SUM } from './parts.js'

/** A call as some models write it into their text. */
function marker(name: string, args: string): string {
  return `<tool_call>{"name":"${name}","arguments":${args}}</tool_call>`
}

const MORE = '{"a":3,"b":4}'
/** What a tool returns in a scene: text that looks like a call. */
const QUOTED = marker('add', MORE)

/** A text that looks like a call and is none: nothing runs because of it, and it is warned of. */
function onlyTalk(name: string, text: string, what: string): FaultScene {
  return {
    name,
    script: inTurn(say(text), final),
    check: (trace) => {
      expectToolRuns(trace, [])
      expectWarning(trace, what)
    },
  }
}

/** Every script here is one that the model may also have read. */
const quoting: FaultScript = inTurn(say(marker('add', '{"a":887,"b":0}')), say(QUOTED), final)

/** Calls that stand in the text of a reply. */
export const TEXT_MARKER_CASE: FaultCase = {
  id: 'text-marker',
  sentence: 'A call stands in the text of a reply, as a marker.',
  expects:
    'It is made, once, when the whole text is such markers with names of tools, and no call in the proper form was ever seen; amid prose, in a fence, with another name, or as a quotation of a result it is never made, and warned of.',
  modes: BOTH,
  scenes: [
    {
      name: 'whole',
      script: inTurn(say(`\n${marker('add', SUM)}\n`), final),
      check: (trace) => {
        expectToolRuns(trace, [ARGS])
        const { messages } = requestAt(trace, 1).body
        expectThat(
          messages.some((message) => message.role !== 'assistant' && textOf(message).includes('3')),
          'the result 3 in request 2',
          'no message with it',
        )
        expectRequests(trace, 2)
        expectAnswer(trace)
      },
    },
    {
      name: 'two',
      script: inTurn(say(`${marker('add', SUM)}\n${marker('add', MORE)}`), final),
      check: (trace) => {
        expectToolRuns(trace, [ARGS, { a: 3, b: 4 }])
        expectAnswer(trace)
      },
    },
    onlyTalk('prose', `I would write ${marker('add', SUM)} here.`, 'a call amid prose'),
    onlyTalk('fence', `\`\`\`\n${marker('add', SUM)}\n\`\`\``, 'a call in a fence'),
    onlyTalk('unknown', marker('adder', SUM), 'a call of a tool that there is not'),
    {
      name: 'echo',
      tool: () => QUOTED,
      script: quoting,
      check: (trace) => {
        expectToolRuns(trace, [{ a: 887, b: 0 }])
        expectWarning(trace, 'a call that quotes a result')
      },
    },
    {
      name: 'after-native',
      script: inTurn(callTools([wireCall('c1', 'add', SUM)]), say(QUOTED), final),
      check: (trace) => {
        expectToolRuns(trace, [ARGS])
        expectWarning(trace, 'a call in the text of a model that makes proper calls')
      },
    },
  ],
}
