import type { Reply } from '@harnesswright/protocol'
import { defineModule } from '../../module/define-module.js'
import type { Module } from '../../module/module.js'
import { type ConformanceCase, check } from './case.js'
import { lookAt, runTrial, type Subject } from './trial.js'

const DIRECTIVE = 'Next: look at the first page that was not looked at.'
const FAULT = 'the reply is cut in the middle.'

/** Rules for actions. */
export function actionCases(subject: Subject): readonly ConformanceCase[] {
  return [
    {
      name: 'ACT-1 makes the calls of the model and answers with its answer',
      run: async () => {
        const { result } = await runTrial(subject, { script: [lookAt(1), 'Page 1 it is.'] })
        check(result.error === undefined, result.error?.message ?? '')
        check(result.spent.toolCalls === 1, `${result.spent.toolCalls} calls were made where the model made one`)
        check(result.answer === 'Page 1 it is.', `the answer is ${JSON.stringify(result.answer)}`)
      },
    },
    {
      name: 'ACT-2 puts the directive last in its request and leaves the view before it',
      run: async () => {
        const { requests } = await runTrial(subject, { modules: { planning: directing } })
        for (const request of requests.filter((one) => one.purpose === 'act')) {
          check(request.messages.at(-1)?.content === DIRECTIVE, 'a request does not end with the directive')
        }
      },
    },
    {
      name: 'ACT-3 shows the model what went wrong with a call, and goes on',
      run: async () => {
        const script = [{ call: 'lok', with: { page: 1 } }, { call: 'look', with: '{"page":' }, 'Nothing was found.']
        const { result, requests } = await runTrial(subject, { script })
        check(result.status === 'answered', `the run ended as ${result.status} (${result.reason})`)
        const seen = requests
          .at(-1)
          ?.messages.filter((message) => message.role === 'tool' && String(message.content).startsWith('error'))
        check((seen?.length ?? 0) === 2, 'the model does not see the errors of its calls')
      },
    },
    {
      name: 'ACT-4 tells the model what could not be read of its reply, and goes on',
      run: async () => {
        const { result, requests } = await runTrial(subject, {
          script: ['{"tools": [', 'Page 1.'],
          modules: { plugins: [garbling] },
        })
        check(result.status === 'answered', `the run ended as ${result.status} (${result.reason})`)
        check(
          requests.at(-1)?.messages.some((message) => String(message.content).includes(FAULT)) === true,
          'the model is not told what was wrong with its reply',
        )
      },
    },
    {
      name: 'ACT-5 offers the tools that the capability slot chose',
      run: async () => {
        const { requests } = await runTrial(subject)
        const act = requests.find((request) => request.purpose === 'act')
        check(act?.tools?.some((tool) => tool.name === 'look') === true, 'no tools are offered')
      },
    },
  ]
}

const directing: Module = defineModule({
  slot: 'planning',
  summary: 'The same directive at every step.',
  direct: () => ({ text: DIRECTIVE }),
})

/** Makes the first reply one that could not be read. */
const garbling: Module = defineModule({
  slot: 'plugin',
  summary: 'Garbles the first reply.',
  state: () => ({ replies: 0 }),
  modelResponse(reply: Reply, ctx): Reply | undefined {
    ctx.state.replies += 1
    return ctx.state.replies === 1 ? { ...reply, malformed: FAULT } : undefined
  },
})
