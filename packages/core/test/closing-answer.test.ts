import { describe, expect, test } from 'vitest'
import { defineModule, HarnessError, type HarnessEvent } from '../src/index.js'
import { createScriptedModel, type Script } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aCounter, aHarness, aPlugin, type OneRun, runOnce } from './one-run.js'

/** Two looks, each with other words, and then the limit. */
const looking = (finish: Script, more: Partial<OneRun> = {}): OneRun => ({
  tools: [aCounter('look')],
  script: {
    act: [
      { call: 'look', say: 'First.' },
      { call: 'look', say: 'Second.' },
    ],
    finish: [finish],
  },
  limits: { steps: 2 },
  ...more,
})

describe('the request for a closing answer', () => {
  test('ends with the word that the work is over, which is not recorded', async () => {
    const { requests, result } = await runOnce(looking('Closing.'))

    expect(requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/must end here.*best answer/),
    })
    expect(result.messages.filter(({ content }) => String(content).includes('must end here'))).toEqual([])
  })

  test('is made of the last good view, where the limit strikes while another is built', async () => {
    const memory = defineModule({
      slot: 'memory',
      summary: 'Shows the head and the last step, and cannot at the end.',
      view(ctx) {
        if (ctx.history.length === 2) throw new HarnessError('E_RUN_LIMIT', { details: { limit: 'tokens' } })
        return { messages: [...ctx.head, ...(ctx.last?.messages ?? [])] }
      },
    })
    const { requests, result } = await runOnce(looking('Closing.', { modules: { memory } }))

    expect(result.answer).toBe('Closing.')
    expect(
      requests
        .at(-1)
        ?.messages.slice(0, -1)
        .map(({ content }) => content),
    ).toEqual(['Do the task.', 'First.', 'look 1'])
  })

  test('needs no view where the run made no step', async () => {
    let views = 0
    const memory = defineModule({
      slot: 'memory',
      summary: 'Counts.',
      view(ctx) {
        views++
        return ctx.view
      },
    })
    await runOnce(looking('Closing.', { modules: { memory }, limits: { steps: 0 } }))

    expect(views).toBe(0)
  })
})

describe('the closing answer', () => {
  test('may be given as a call of final_answer', async () => {
    const { result } = await runOnce(looking({ call: 'final_answer', with: { answer: { sum: 3 } } }))

    expect(result).toMatchObject({ status: 'limit', answer: { sum: 3 } })
    expect(result.partial).toBeUndefined()
  })

  test('is the newest text of the model where it says nothing more', async () => {
    const { result } = await runOnce(looking(new HarnessError('E_MODEL_OVERLOADED')))

    expect(result).toMatchObject({ status: 'limit', answer: 'Second.', partial: true })
  })

  test('is a step without tools, and what is noted on the way to it stands before it', async () => {
    const plugin = aPlugin({
      finish(reason, ctx) {
        ctx.note('remark', `It ends: ${reason}.`)
        return undefined
      },
    })
    const { result } = await runOnce(looking('Closing.', { modules: { plugins: [plugin] } }))

    expect(result.steps.at(-1)).toMatchObject({
      capabilities: [],
      end: { status: 'limit', reason: 'steps' },
      messages: [
        { role: 'user', note: 'remark', content: 'It ends: steps.' },
        { role: 'assistant', content: 'Closing.' },
      ],
    })
  })

  test('that an abort stops is no failure of the model, and nothing is warned of', async () => {
    const asked = deferred<void>()
    const events: HarnessEvent[] = []
    const scripted = createScriptedModel([{ call: 'look' }])
    const generate: typeof scripted.generate = (request, options) => {
      if (request.purpose !== 'finish') return scripted.generate(request, options)
      asked.resolve()
      return new Promise(() => {})
    }
    const { harness } = await aHarness(
      looking('', { model: { ...scripted, generate }, env: { observe: (event) => events.push(event) } }),
    )
    const run = harness.run('x', { limits: { steps: 2 } })
    await asked.promise
    run.abort()
    const result = await run.result
    await new Promise((resolve) => setImmediate(resolve))

    expect(result).toMatchObject({ status: 'aborted', warnings: [] })
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
  })
})
