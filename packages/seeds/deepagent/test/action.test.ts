import type { Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { contents, final, observed, offered, page, put, type Ran, read, run } from './stream.js'

const twice = { calls: [page(1), page(2)], say: 'Both.' }

describe('a turn', () => {
  test('does one thing: of several calls in a reply the first is made, and the others are as if they had not been', async () => {
    const { result, acts } = await run({ script: [twice] })

    expect(acts[0]?.parallelToolCalls).toBe(false)
    expect(result.steps[0]?.observations.map(({ tool }) => tool)).toEqual(['read'])
    expect(acts[1]?.messages.at(-2)?.toolCalls).toHaveLength(1)
  })

  test('may do several where that is allowed', async () => {
    const { result, acts } = await run({ script: [twice], action: { parallel: true } })

    expect(acts[0]?.parallelToolCalls).toBe(true)
    expect(result.steps[0]?.observations.map(({ tool }) => tool)).toEqual(['read', 'read'])
  })
})

describe('the answer', () => {
  test('is what the model passes to the tool for it, which ends the run without a further call', async () => {
    const { result, acts } = await run({ script: [page(1)] })

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(result.steps.map(({ action }) => action.kind)).toEqual(['call', 'answer'])
    expect(acts).toHaveLength(2)
    expect(offered(acts[0])).toEqual(['read', 'put', 'fold_thought', 'final_answer'])
  })

  test('is not what is said by the way: the model is asked once to say so, and goes on', async () => {
    const { result, acts } = await run({ script: ['I shall look at page 1 now.', page(1)] })

    expect(result.steps.map(({ action }) => action.kind)).toEqual(['think', 'call', 'answer'])
    expect(contents(acts[1]).at(-1)).toContain('You called nothing.')
    expect(result.answer).toBe('done')
  })

  test('is taken from words when they are said again, and the next words by the way are asked about again', async () => {
    const { result } = await run({ script: ['Hm.', page(1), 'It is 7.', 'It is 7, I say.'] })

    expect(result.steps.map(({ action }) => action.kind)).toEqual(['think', 'call', 'think', 'answer'])
    expect(result.answer).toBe('It is 7, I say.')
  })

  test('that is empty is refused by its tool, and told', async () => {
    const ran = await run({ script: [{ call: 'final_answer', with: { answer: '' } }] })

    expect(observed(ran, 1)[0]?.content).toMatch(/^error: the arguments of final_answer are wrong/)
    expect(ran.result.answer).toBe('done')
  })

  test('beside other calls waits for their results', async () => {
    const { result } = await run({ script: [{ calls: [page(1), final('too early')] }], action: { parallel: true } })

    expect(result.steps.map(({ action }) => action.kind)).toEqual(['call', 'answer'])
    expect(result.answer).toBe('done')
  })

  test('in JSON is the reply itself, where the task asks for it', async () => {
    const output = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
    const { result, acts } = await run({ script: [page(1), '{"sum":7}'], task: { instruction: 'Sum up.', output } })

    expect(result).toMatchObject({ status: 'answered', answer: { sum: 7 } })
    expect(offered(acts[0])).not.toContain('final_answer')
    expect(contents(acts[0])[0]).not.toContain('final_answer')
  })

  test('is demanded after three replies that could not be read', async () => {
    const broken = { call: 'read', with: '{"page":' }
    const { result } = await run({ script: [broken, broken, broken, broken] })

    expect(result).toMatchObject({ status: 'limit', reason: 'malformed', answer: 'forced' })
  })
})

describe('a call that was made before', () => {
  const cart = (item: string) => ({ call: 'put', with: { item } })

  test('is refused with the step in which it was made, where its tool changes something', async () => {
    const ran = await run({ script: [cart('nail'), page(1), cart('nail')] })

    expect(observed(ran, 3)[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_DENIED' } })
    expect(observed(ran, 3)[0]?.content).toContain('the same call was made in step 1')
    expect(ran.result.spent.toolCalls).toBe(2)
  })

  test('is made where its tool only reads, as what it reads may have changed, and where it had failed', async () => {
    const ran = await run({ script: [page(1), cart('anvil'), page(1), cart('anvil')] })

    expect(observed(ran, 3)[0]?.ok).toBe(true)
    expect(observed(ran, 4)[0]?.content).toContain('too heavy')
  })

  test.each([
    ['whose tool only reads', [page(1), page(1)]],
    ['that had failed', [cart('anvil'), cart('anvil')]],
  ])('%s is refused too by the faithful action', async (_what, script) => {
    const ran = await run({ script, action: { faithful: true } })

    expect(observed(ran, 2)[0]?.error?.code).toBe('E_TOOL_DENIED')
  })

  test('in the same reply is refused as well', async () => {
    const ran = await run({ script: [{ calls: [cart('nail'), cart('nail')] }], action: { parallel: true } })

    expect(observed(ran, 1).map(({ ok }) => ok)).toEqual([true, false])
  })

  test('to serve the own work is none of these', async () => {
    const ran = await run({ script: [page(1), { call: 'fold_thought' }, page(2), { call: 'fold_thought' }] })

    expect([observed(ran, 2)[0]?.ok, observed(ran, 4)[0]?.ok]).toEqual([true, true])
  })
})

describe('a long result', () => {
  const long: Tool = { ...read, execute: () => `begin ${'x'.repeat(9_000)} end` }

  const summaries = (ran: Ran) => ran.model.requests.filter(({ purpose }) => purpose === 'summarise')

  test('gives way from 5,000 characters on to summaries of pieces of 8,000, made at once', async () => {
    const ran = await run({ script: [page(1)], tools: [long], summaries: ['The first.', 'The second.'] })
    const [first, second, ...others] = summaries(ran)

    expect(others).toEqual([])
    expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(first?.messages[2]?.toolCalls?.[0]?.arguments).toBe('{"page":1}')
    expect([first, second].map((request) => request?.messages[3]?.content.length)).toEqual([8_000, 1_010])
    expect(observed(ran, 1)[0]?.content).toBe('[Summary of the first 9010 of 9010 characters]\nThe first.\nThe second.')
    expect(JSON.stringify(ran.acts[1]?.messages)).not.toContain('xxx')
  })

  test('is read up to four pieces, and by the faithful action one', async () => {
    const endless: Tool = { ...read, execute: () => 'x'.repeat(100_000) }
    const ran = await run({ script: [page(1)], tools: [endless] })
    const faithful = await run({ script: [page(1)], tools: [endless], action: { faithful: true } })

    expect([summaries(ran).length, summaries(faithful).length]).toEqual([4, 1])
    expect(observed(ran, 1)[0]?.content).toContain('[Summary of the first 32000 of 100000 characters]')
    expect(observed(faithful, 1)[0]?.content).toContain('[Summary of the first 8000 of 100000 characters]')
  })

  test.each([
    ['says nothing', ' '],
    ['fails', new Error('down')],
  ])('is cut at 3,000 characters where the summary %s', async (_what, summary) => {
    const ran = await run({ script: [page(1)], tools: [long], summaries: [summary] })

    const [{ content = '' } = {}] = observed(ran, 1)
    expect(content.slice(0, 3_000)).toBe(`begin ${'x'.repeat(2_994)}`)
    expect(content.slice(3_000)).toBe('\n[… 6010 characters were left out …]')
    expect(ran.result.status).toBe('answered')
  })

  test.each([
    ['of 5,000 characters', { ...read, execute: () => 'x'.repeat(5_000) }],
    [
      'that is an error',
      {
        ...read,
        execute: () => {
          throw new Error('x'.repeat(6_000))
        },
      },
    ],
  ])('%s stays as it is', async (_what, tool: Tool) => {
    const ran = await run({ script: [page(1)], tools: [tool] })

    expect(ran.model.requests.map(({ purpose }) => purpose)).toEqual(['act', 'act'])
  })

  test('of a tool that serves the own work stays as it is', async () => {
    const many = Array.from(
      { length: 40 },
      (_, at): Tool => ({ ...put, name: `put_${at}`, description: 'Puts. '.repeat(60) }),
    )
    const ran = await run({
      script: [{ call: 'tool_search', with: { query: 'puts' } }],
      tools: many,
      capability: { hits: 40 },
      action: { longChars: 1_000 },
    })

    expect(observed(ran, 1)[0]?.content.length).toBeGreaterThan(5_000)
    expect(ran.model.requests.map(({ purpose }) => purpose)).toEqual(['act', 'act'])
  })
})

test('a run that is over its steps ends with what there is', async () => {
  const { result } = await run({ script: [page(1), page(2), page(3)], limits: { steps: 2 } })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'forced' })
})
