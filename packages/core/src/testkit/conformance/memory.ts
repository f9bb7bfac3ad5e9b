import type { Message } from '@harnesswright/protocol'
import { defineModule } from '../../module/define-module.js'
import type { Module } from '../../module/module.js'
import { type ConformanceCase, check } from './case.js'
import { runTrial, type Subject } from './trial.js'

/** Rules for memory: the view rule. */
export function memoryCases(subject: Subject): readonly ConformanceCase[] {
  return [
    {
      name: 'MEM-1 keeps the head: the task opens every request',
      run: async () => {
        const { error } = (await runTrial(subject)).result
        const isHead = error?.code === 'E_PROTOCOL_VIEW' && error.message.includes('the head')
        check(!isHead, `a view does not open with the task: ${error?.message}`)
      },
    },
    {
      name: 'MEM-2 keeps calls with their results: no view is refused',
      run: async () => {
        const { error } = (await runTrial(subject)).result
        check(error?.code !== 'E_PROTOCOL_VIEW', error?.message ?? '')
      },
    },
    {
      name: 'MEM-3 keeps what it does not know: a message that another memory wrote stays',
      run: async () => {
        const { requests } = await runTrial(subject, { modules: { memory: [covering, subject.module] } })
        const last = requests.findLast((request) => request.purpose === 'act')
        check(last?.messages.some(isCover) === true, 'the message of the memory before is gone from the view')
      },
    },
    {
      name: 'MEM-4 does not bring back steps that a message of the incoming view covers',
      run: async () => {
        const { requests } = await runTrial(subject, { modules: { memory: [covering, subject.module] } })
        const last = requests.findLast((request) => request.purpose === 'act')
        const back = last?.messages.find((message) => message.step !== undefined && message.step <= COVERED)
        check(back === undefined, `step ${back?.step} is in the view beside the message that covers it`)
      },
    },
  ]
}

/** Steps that the memory before the one under test has put into one message. */
const COVERED = 2
const COVER_TEXT = 'Steps 1 and 2: two pages were looked at.'

function isCover(message: Message): boolean {
  return typeof message.content === 'string' && message.content.includes(COVER_TEXT)
}

/** A memory that puts the first steps into one message. */
const covering: Module = defineModule({
  slot: 'memory',
  summary: 'Puts the first two steps into one message.',
  view(ctx) {
    const { messages } = ctx.view
    if (ctx.history.length < COVERED) return { messages }
    const head = messages.slice(0, ctx.head.length)
    const rest = messages.slice(ctx.head.length).filter((message) => (message.step ?? COVERED + 1) > COVERED)
    return { messages: [...head, { role: 'user', content: COVER_TEXT, covers: [1, COVERED] }, ...rest] }
  },
})
