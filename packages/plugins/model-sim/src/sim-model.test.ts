import { type Delta, isHarnessError, type Model, type ModelRequest } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { aHead, aLogTask, anExchange, aQuoteTask, aReading, ask, ORDER, TOOLS } from '../test/conversation.js'
import type { SimProfile } from './profiles.js'
import { createSimModel, simModels } from './sim-model.js'

const head = aHead(aQuoteTask(['Halden', 'Borm']))

describe('what is known of the simulated models', () => {
  test('they are marked as simulated, with window, price and date, and their names begin with sim-', () => {
    expect(simModels().map((model) => model.id)).toEqual(['sim-frontier', 'sim-mid', 'sim-small', 'sim-chaos'])
    for (const model of simModels()) {
      expect(model).toMatchObject({
        simulated: true,
        supports: { tools: true, jsonSchema: true, stream: true, parallelToolCalls: true },
      })
      expect(model.price?.date).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(model.contextWindow).toBeGreaterThanOrEqual(16_000)
    }
    expect(createSimModel({ profile: 'sim-mid' })).toMatchObject({ ...simModels()[1] })
  })

  test('an unknown profile is refused with the names that there are', () => {
    const code = codeOf(() => createSimModel({ profile: 'sim-huge' as SimProfile }))

    expect(code).toBe('E_SIM_UNKNOWN_PROFILE')
  })
})

describe('what it refuses', () => {
  test('a request without a task of a world, naming the worlds', async () => {
    const error = await thrown(ask(createSimModel({ profile: 'sim-mid' }), aHead('What is the capital of France?')))

    expect(error).toMatchObject({ code: 'E_SIM_NO_TASK', hint: expect.stringMatching(/quotes, long-log/) })
  })

  test('a request without a task for every purpose and in every form', async () => {
    const model = createSimModel({ profile: 'sim-mid' })
    for (const purpose of ['act', 'plan', 'review', 'summarise', 'finish', 'other']) {
      for (const schema of [undefined, { type: 'object', properties: { text: { type: 'string' } } }]) {
        const error = await thrown(ask(model, aHead('Write a poem.'), { purpose, ...(schema && { schema }) }))
        expect(error).toMatchObject({ code: 'E_SIM_NO_TASK' })
      }
    }
  })

  test.each(['compose', 'repair'])('the purpose %s, by its label and by the title of a schema', async (purpose) => {
    const model = createSimModel({ profile: 'sim-mid' })
    const labelled = await thrown(ask(model, head, { purpose, schema: { title: 'manifest', type: 'object' } }))
    const titled = await thrown(ask(model, head, { schema: { title: purpose, type: 'object' } }))

    expect(labelled).toMatchObject({ code: 'E_SIM_NOT_A_COMPOSER' })
    expect(titled).toMatchObject({ code: 'E_SIM_NOT_A_COMPOSER' })
  })

  test('a request above the window, as an endpoint would', async () => {
    const long = [...head, ...aReading('order.txt', 'x'.repeat(130_000))]

    expect(await thrown(ask(createSimModel({ profile: 'sim-mid' }), long))).toMatchObject({
      code: 'E_MODEL_CONTEXT_OVERFLOW',
      details: { windowTokens: 32_000, latencyMs: 150 },
    })
    expect((await ask(createSimModel({ profile: 'sim-frontier' }), long)).usage?.inputTokens).toBeGreaterThan(32_500)
  })

  test('an aborted request, with the reason', async () => {
    const request = { purpose: 'act', messages: head } as const
    const reply = createSimModel({ profile: 'sim-mid' }).generate(request, {
      signal: AbortSignal.abort(new Error('enough')),
    })

    await expect(reply).rejects.toThrow('enough')
  })
})

describe('the purpose', () => {
  test('is the title of the schema before the label, and `act` where neither says', async () => {
    const model = createSimModel({ profile: 'sim-mid' })
    const schema = {
      title: 'plan',
      type: 'object',
      properties: { steps: { type: 'array', items: { type: 'string' } } },
    }

    expect((await ask(model, head, { purpose: 'review', schema })).metadata).toMatchObject({ purpose: 'plan' })
    expect((await ask(model, head, { purpose: 'answer' })).toolCalls).toEqual([])
    const unlabelled = { messages: head, tools: TOOLS } as unknown as ModelRequest // as a client without purposes would send it
    expect((await model.generate(unlabelled, { signal: new AbortController().signal })).toolCalls).toHaveLength(1)
  })

  test('is never read from the wording', async () => {
    const model = createSimModel({ profile: 'sim-mid' })
    const worded = await ask(model, [...head, { role: 'user', content: 'Make a plan. Review it. Summarise.' }])

    expect(worded.toolCalls).toHaveLength(1)
  })
})

describe('its luck', () => {
  const history = [...aHead(aLogTask(9)), ...aReading('log/part-01.txt', 'End of part 1 of 9 of the plant log')]

  test('the same request has the same reply, whatever was served in between, in one engine or two', async () => {
    const [one, other] = [createSimModel({ profile: 'sim-chaos' }), createSimModel({ profile: 'sim-chaos' })]
    for (let seed = 1; seed <= 30; seed++) {
      const request = { seed, session: `run ${seed}` }
      const first = await ask(one, history, request)
      await ask(other, head, { seed: seed + 1, session: `other ${seed}` })
      expect(await ask(other, history, request)).toEqual(first)
    }
  })

  test('system text and a directive do not re-roll the dice', async () => {
    const model = createSimModel({ profile: 'sim-chaos' })
    for (let seed = 1; seed <= 60; seed++) {
      const plain = await ask(model, history, { seed })
      const worded = [
        { role: 'system', content: 'Be brief!' } as const,
        ...history.slice(1),
        { role: 'user', content: 'Go on, please.' } as const,
      ]
      const reworded = await ask(model, worded, { seed })
      expect(reworded.toolCalls).toEqual(plain.toolCalls)
    }
  })

  test('another seed of the run or of the simulator is other luck', async () => {
    const replies = new Set<string>()
    for (let seed = 1; seed <= 60; seed++)
      replies.add(
        JSON.stringify((await ask(createSimModel({ profile: 'sim-chaos', seed }), history)).toolCalls?.[0]?.name),
      )
    for (let seed = 1; seed <= 60; seed++)
      replies.add(
        JSON.stringify((await ask(createSimModel({ profile: 'sim-chaos' }), history, { seed })).toolCalls?.[0]?.name),
      )

    expect(replies.size).toBeGreaterThan(1)
  })

  test('a literal repeat in a session is answered anew, so that no loop stands still', async () => {
    const model = createSimModel({ profile: 'sim-chaos' })
    let faults = 0
    for (let seed = 1; seed <= 40; seed++) {
      const replies: string[] = []
      for (let turn = 0; turn < 8; turn++) {
        replies.push(signature(await ask(model, history, { seed, session: `s${seed}` })))
      }
      const isFaulty = !/^read_file \{"path":"log\/part-0[12]\.txt"\}$/.test(replies[0] ?? '')
      if (!isFaulty) continue
      faults++
      expect(new Set(replies).size).toBeGreaterThan(1)
    }
    expect(faults).toBeGreaterThan(3)
  })
})

test('a reply is streamed in pieces that join to it, calls last', async () => {
  const deltas: Delta[] = []
  const messages = [...head, ...aReading('order.txt', ORDER)]
  const reply = await createSimModel({ profile: 'sim-frontier' }).generate(
    { purpose: 'act', messages, tools: TOOLS },
    { signal: new AbortController().signal, onDelta: (delta) => deltas.push(delta) },
  )

  expect(deltas.length).toBeGreaterThan(2)
  expect(deltas.map((delta) => delta.text ?? '').join('')).toBe(reply.content)
  expect(deltas.at(-1)?.call).toMatchObject({ index: 0, name: reply.toolCalls?.[0]?.name })
})

test('a subtask stands for itself: its imperatives are its goals, what is in its context is known and not asked for', async () => {
  const model = createSimModel({ profile: 'sim-frontier' })
  const task =
    'Please read the price list of Halden (lists/halden.csv).\n\n<context>\nline 1 of the order is 10 pieces of brass tee. read the price list of Borm (lists/borm.csv)\n</context>'
  const list = 'supplier,item,eur per piece\nHalden,brass tee,3.40\nHalden,zinc rivet,9.00\n'
  const first = await ask(model, aHead(task))
  const last = await ask(model, [...aHead(task), ...aReading('lists/halden.csv', list)])

  expect(signature(first)).toBe('read_file {"path":"lists/halden.csv"}')
  expect(last.toolCalls).toEqual([])
  expect(last.content).toContain('Halden sells brass tee at 3.40 EUR')
  expect(last.content).not.toContain('zinc rivet')
})

test('a result is an error by its first word only', async () => {
  const model = createSimModel({ profile: 'sim-frontier' })
  const fine = [
    ...aHead(aLogTask(2)),
    ...anExchange('read_file', { path: 'log/part-01.txt' }, 'No error here.\nEnd of part 1 of 2 of the plant log'),
  ]

  expect(signature(await ask(model, fine))).toBe('read_file {"path":"log/part-02.txt"}')
})

function signature(reply: Awaited<ReturnType<Model['generate']>>): string {
  return (reply.toolCalls ?? []).map((call) => `${call.name} ${call.arguments}`).join(', ')
}

async function thrown(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return undefined
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return isHarnessError(error) ? error.code : undefined
  }
  return undefined
}
