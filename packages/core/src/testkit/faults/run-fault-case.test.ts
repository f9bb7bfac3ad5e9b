import { describe, expect, test } from 'vitest'
import { say } from './answer.js'
import type { FaultCase, FaultScene, FaultSubject } from './case.js'
import { faultCases } from './fault-cases.js'
import { faultConformance, runFaultCase } from './run-fault-case.js'
import { expectAnswer, expectReason, expectWarning } from './trace.js'

/** A harness of a few lines: it asks until there are no calls, and knows nothing of faults. */
const naive: FaultSubject = async ({ baseUrl, apiKey, model, instruction, tools, signal }) => {
  const messages: object[] = [{ role: 'user', content: instruction }]
  const offered = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  while (true) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, messages, tools: offered }),
      signal,
    })
    const { message } = ((await response.json()) as { choices: { message: NaiveMessage }[] }).choices[0] ?? {}
    if (message?.tool_calls === undefined) return { text: message?.content ?? null, status: 'answered' }
    messages.push(message)
    for (const { id, function: call } of message.tool_calls) {
      const tool = tools.find(({ name }) => name === call.name)
      if (tool === undefined) throw new Error(`there is no tool ${call.name}`)
      messages.push({ role: 'tool', tool_call_id: id, content: await tool.execute(JSON.parse(call.arguments)) })
    }
  }
}

interface NaiveMessage {
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
}

const row = (scene: Partial<FaultScene>): FaultCase => ({
  id: 'own',
  sentence: 'A row of a test.',
  expects: 'What the test expects.',
  modes: ['plain', 'stream'],
  scenes: [{ script: say('done: 42'), check: (trace) => expectAnswer(trace), ...scene }],
})

const rowOf = (id: string): FaultCase => faultCases.find((one) => one.id === id) as FaultCase

describe('the table of faults', () => {
  test('has 32 rows, each with its own name and words, in one mode or both', () => {
    expect(faultCases).toHaveLength(32)
    expect(new Set(faultCases.map(({ id }) => id)).size).toBe(32)
    for (const { id, sentence, expects, modes, scenes } of faultCases) {
      expect([sentence, expects].every((text) => text.endsWith('.'))).toBe(true)
      expect(modes).toEqual(/^(stream-|cut-stream)/.test(id) ? ['stream'] : ['plain', 'stream'])
      expect(scenes.filter(({ name }) => name === undefined)).toHaveLength(scenes.length === 1 ? scenes.length : 0)
    }
  })

  test('is met in few rows by a harness that knows nothing of faults', async () => {
    const isSlow = (id: string): boolean => ['hang', 'repeat-forever', 'abort-in-tool'].includes(id)
    const quick = faultCases.filter(({ id, modes }) => modes.includes('plain') && !isSlow(id))
    const reports = await Promise.all(quick.map((one) => runFaultCase(one, { mode: 'plain', subject: naive })))
    const passed = reports.filter(({ state }) => state === 'passed').map(({ id }) => id)
    expect(passed).toEqual(['ok', 'stop-with-calls', 'reasoning', 'no-usage', 'parallel'])
  })
})

describe('playing a row', () => {
  test('says what was expected and what was found', async () => {
    const report = await runFaultCase(row({ script: say('another answer') }), { mode: 'plain', subject: naive })
    expect(report).toMatchObject({
      id: 'own',
      mode: 'plain',
      state: 'failed',
      findings: [
        {
          expected: 'the answer "done: 42"',
          found: 'it ended as answered with the answer "another answer"',
        },
      ],
      requests: 1,
    })
  })

  test('takes a subject that throws as one whose run ended so', async () => {
    const { state, findings } = await runFaultCase(row({}), {
      mode: 'plain',
      subject: async () => {
        throw new TypeError('no')
      },
    })
    expect([state, findings[0]?.found]).toEqual(['failed', 'it threw TypeError: no'])
  })

  test('does not wait for ever for a subject that does not end, and aborts it', async () => {
    let isAborted = false
    const { state, findings } = await runFaultCase(row({ patienceMs: 50 }), {
      mode: 'plain',
      subject: ({ signal }) => {
        signal.addEventListener('abort', () => {
          isAborted = true
        })
        return new Promise(() => {})
      },
    })
    expect([state, findings[0]?.found]).toEqual(['failed', expect.stringMatching(/^it had not ended after \d+ ms$/)])
    expect(isAborted).toBe(true)
  })

  test('skips a row in a mode that it does not have', async () => {
    const report = await runFaultCase(rowOf('cut-stream'), { mode: 'plain', subject: naive })
    expect(report).toMatchObject({ state: 'skipped', unchecked: ['the row is one of the mode stream alone'] })
  })

  test('says what it did not assert, because the subject does not tell it', async () => {
    const asserting = row({
      check: (trace) => {
        expectReason(trace, 'loop')
        expectWarning(trace, 'something')
      },
    })
    const silent = await runFaultCase(asserting, { mode: 'plain', subject: naive })
    expect(silent).toMatchObject({
      state: 'passed',
      unchecked: [/reason is loop/, /warning of something/].map((text) => expect.stringMatching(text)),
    })
    const telling = await runFaultCase(asserting, { mode: 'plain', subject: naive, traits: ['reason', 'warnings'] })
    expect(telling).toMatchObject({ state: 'failed', unchecked: [] })
  })

  test('leaves scenes out that need a trait which the subject does not have', async () => {
    const report = await runFaultCase(row({ needs: ['clock'] }), { mode: 'plain', subject: naive })
    expect(report).toMatchObject({
      state: 'skipped',
      requests: 0,
      unchecked: ['the subject does not have the trait "clock"'],
    })
  })

  test('gives a clock to those alone that take one', async () => {
    const given: boolean[] = []
    const subject: FaultSubject = async ({ clock }) => {
      given.push(clock !== undefined)
      return { text: 'done: 42' }
    }
    await runFaultCase(row({}), { mode: 'plain', subject })
    await runFaultCase(row({}), { mode: 'plain', subject, traits: ['clock'] })
    expect(given).toEqual([false, true])
  })

  test('answers what is asked beside the acting, and does not count it', async () => {
    const planning: FaultSubject = async (setup) => {
      const schema = { type: 'object', properties: { goal: { type: 'string' } }, required: ['goal'] }
      const ask = (more: object): Promise<Response> =>
        fetch(`${setup.baseUrl}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ messages: [], ...more }),
        })
      const plan = await ask({ response_format: { type: 'json_schema', json_schema: { name: 'plan', schema } } })
      const { choices } = (await plan.json()) as { choices: { message: { content: string } }[] }
      expect(Object.keys(JSON.parse(choices[0]?.message.content ?? ''))).toEqual(['goal'])
      return await naive(setup)
    }
    expect(await runFaultCase(rowOf('ok'), { mode: 'plain', subject: planning })).toMatchObject({
      state: 'passed',
      requests: 2,
    })
  })

  test('is a case for any test runner, which rejects with every finding', async () => {
    const cases = faultConformance({ subject: naive })
    expect(cases).toHaveLength(57)
    expect(cases[0]?.name).toMatch(/^ok \(plain\) /)
    await cases[0]?.run()
    const failing = cases.find(({ name }) => name.startsWith('unknown-tool (plain)'))
    await expect(failing?.run()).rejects.toThrow(/expected: at least 2 requests; found: .*there is no tool add_numbers/)
  })
})
