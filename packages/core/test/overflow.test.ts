import { describe, expect, test } from 'vitest'
import { defineModule, HarnessError, type Module } from '../src/index.js'
import { createScriptedModel, type Script } from '../src/testkit/index.js'
import { aCounter, runOnce } from './one-run.js'

/** What a memory was given and told at each look. */
interface Look {
  readonly step: number
  readonly given: number
  readonly overflowed: boolean
}

/** Shows all but the first step, and nothing but the head after an overflow. */
function shrinking(looks: Look[]): Module {
  return defineModule({
    slot: 'memory',
    summary: 'Shrinks.',
    view(ctx) {
      looks.push({ step: ctx.step, given: ctx.view.messages.length, overflowed: ctx.overflowed })
      if (ctx.overflowed) return { messages: ctx.head }
      return { messages: ctx.view.messages.filter(({ step }) => step !== 1) }
    },
  })
}

/** An endpoint with a window of so many messages. */
function withWindow(messages: number, script: readonly Script[]) {
  const scripted = createScriptedModel({ act: script, finish: ['closing'] })
  const sent: number[] = []
  const generate: typeof scripted.generate = async (request, options) => {
    sent.push(request.messages.length)
    if (request.messages.length > messages) throw new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
    return await scripted.generate(request, options)
  }
  return { model: { ...scripted, generate }, sent }
}

const look: Script = { call: 'look', say: 'I look.' }

describe('a request that is larger than the window', () => {
  test('is made once more from what the memory makes of the whole history when it is told so', async () => {
    const looks: Look[] = []
    const { model, sent } = withWindow(4, [look, look, look, look, 'done'])
    const { result } = await runOnce({ model, tools: [aCounter('look')], modules: { memory: shrinking(looks) } })

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(sent).toEqual([1, 1, 3, 5, 1, 7, 1])
    expect(looks).toEqual([
      { step: 1, given: 1, overflowed: false },
      { step: 2, given: 3, overflowed: false },
      { step: 3, given: 5, overflowed: false },
      { step: 4, given: 7, overflowed: false },
      { step: 4, given: 7, overflowed: true },
      { step: 5, given: 9, overflowed: false },
      { step: 5, given: 9, overflowed: true },
    ])
    expect(result.steps).toHaveLength(5)
  })

  test('is made once more and not twice', async () => {
    const overflow = new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
    const model = createScriptedModel({ act: [look, look, overflow, overflow, 'never'] })
    const { result } = await runOnce({ model, tools: [aCounter('look')], modules: { memory: shrinking([]) } })

    expect(result).toMatchObject({ status: 'limit', reason: 'context_overflow', answer: 'I look.', partial: true })
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 1])
  })

  test('is not made again for another limit', async () => {
    const looks: Look[] = []
    const model = createScriptedModel({ act: [look, new HarnessError('E_RUN_LIMIT', { details: { limit: 'own' } })] })
    const { result } = await runOnce({ model, tools: [aCounter('look')], modules: { memory: shrinking(looks) } })

    expect(result).toMatchObject({ status: 'limit', reason: 'own' })
    expect(model.requests.filter(({ purpose }) => purpose === 'act')).toHaveLength(2)
    expect(looks.some(({ overflowed }) => overflowed)).toBe(false)
  })
})
