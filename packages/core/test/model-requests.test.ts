import { describe, expect, test } from 'vitest'
import { defineModule, type Reply } from '../src/index.js'
import { createScriptedModel, minimalAction } from '../src/testkit/index.js'
import { aHarness, aPlugin, aTool, runOnce } from './one-run.js'

describe('a request', () => {
  test('has the seed and the session of the run, whatever a module writes there', async () => {
    const plugin = aPlugin({
      async direct(ctx) {
        await ctx.model({ purpose: 'plan', messages: ctx.head, seed: 99, session: 'mine' })
        return ctx.directive
      },
    })
    const { requests } = await runOnce({ modules: { plugins: [plugin] }, script: ['done'], seed: 7 })

    expect(requests.map(({ seed, session }) => [seed, session])).toEqual([
      [7, 'run'],
      [7, 'run'],
    ])
  })

  test('goes to the model that a tap put there', async () => {
    const models = [createScriptedModel(['large'], { id: 'large' }), createScriptedModel(['small'], { id: 'small' })]
    const routing = aPlugin({ modelRequest: (request) => ({ ...request, model: 'small' }) })

    expect((await runOnce({ modules: { plugins: [routing] }, env: { model: models } })).result.answer).toBe('small')
  })

  test('of another purpose than to act offers the tools that it names, and no others', async () => {
    const plugin = aPlugin({
      async record(_step, ctx) {
        await ctx.model({ purpose: 'recall', messages: ctx.head, tools: ctx.catalog.tools.slice(1) })
      },
    })
    const { requests } = await runOnce({
      modules: { plugins: [plugin] },
      tools: [aTool('a'), aTool('b')],
      script: { act: ['done'], recall: ['nothing'] },
    })

    expect(requests.map(({ purpose, tools }) => [purpose, tools?.map(({ name }) => name)])).toEqual([
      ['act', ['a', 'b']],
      ['recall', ['b']],
    ])
  })

  test('asks a model to stream only if somebody listens', async () => {
    const asked: boolean[] = []
    const scripted = createScriptedModel(['done'], { supports: { stream: true } })
    const generate: typeof scripted.generate = (request, options) => {
      asked.push(options.onDelta !== undefined)
      return scripted.generate(request, options)
    }
    const { harness } = await aHarness({ model: { ...scripted, generate } })
    await harness.run('x').result
    for await (const _ of harness.run('x'));

    expect(asked).toEqual([false, true])
  })
})

describe('a reply', () => {
  /** The replies that an action and the taps before it are given. */
  async function repliesTo(one: Parameters<typeof runOnce>[0]): Promise<readonly Reply[]> {
    const replies: Reply[] = []
    const action = defineModule({
      ...minimalAction,
      async act(ctx) {
        const reply = await ctx.model({ purpose: 'act', messages: ctx.head, tools: ctx.catalog.tools })
        replies.push(reply)
        return { kind: 'answer', reply: { ...reply, toolCalls: [] }, answer: 'done' }
      },
    })
    const plugin = aPlugin({ modelResponse: (reply) => void replies.push(reply) })
    await runOnce({ ...one, modules: { action, plugins: [plugin] }, tools: [aTool('look')] })
    return replies
  }

  test('has calls with ids of the run and arguments that are an object, for whoever sees it', async () => {
    const replies = await repliesTo({
      script: [
        {
          calls: [
            { call: 'look', with: "{'a':1,}" },
            { call: 'look', with: '{"a":' },
          ],
        },
      ],
    })

    expect(replies).toHaveLength(2)
    for (const { toolCalls } of replies)
      expect(toolCalls).toEqual([
        { id: 'c1_1', name: 'look', arguments: '{"a":1}' },
        { id: 'c1_2', name: 'look', arguments: '{}' },
      ])
  })

  test('has no secret in it, for whoever sees it', async () => {
    const response = { content: 'It is hunter2.', reasoning: 'I think of hunter2.', finish: 'stop' } as const
    const replies = await repliesTo({ script: [response], env: { secrets: ['hunter2'] } })

    expect(replies).toHaveLength(2)
    expect(JSON.stringify(replies)).not.toContain('hunter2')
    expect(replies[0]?.content).toBe('It is [secret].')
  })

  test('is frozen, as it is in the record too', async () => {
    const replies = await repliesTo({ script: [{ call: 'look' }], env: { strict: false } })
    const [reply] = replies.slice(-1)

    expect([reply, reply?.toolCalls, reply?.toolCalls[0]].map(Object.isFrozen)).toEqual([true, true, true])
  })
})
