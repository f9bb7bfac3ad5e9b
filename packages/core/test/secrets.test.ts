import { describe, expect, test } from 'vitest'
import { defineModule, type HarnessEvent } from '../src/index.js'
import { createScriptedModel, minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

const SECRET = 'hunter2-p"ss\nword'
const escaped = JSON.stringify(SECRET).slice(1, -1)
const holds = (value: unknown): boolean => {
  const text = JSON.stringify(value)
  return text.includes('hunter2') || text.includes(escaped)
}

describe('a secret of the environment', () => {
  test('reaches no observation, error, event, artifact, message or record, wherever it comes from', async () => {
    const observed: HarnessEvent[] = []
    const artifacts = new Map<string, unknown>()
    const plugin = aPlugin({
      state: () => ({ steps: 0 }),
      toolResult(observation, ctx) {
        ctx.note('remark', `noted ${SECRET}`)
        ctx.log(SECRET)
        ctx.emit('seen', { in: [SECRET] })
        ctx.put({ kept: SECRET, [SECRET]: 1 })
        return observation
      },
      end() {
        throw new Error(`the end: ${SECRET}`)
      },
    })
    const planning = defineModule({
      slot: 'planning',
      summary: 'Says it.',
      direct: () => ({ text: SECRET, plan: { goals: [{ id: '1', text: SECRET, status: 'open' }] } }),
    })
    const tools = [
      aTool('text', { execute: () => `the password is ${SECRET}` }),
      aTool('data', { execute: () => ({ password: SECRET, n: 12_345 }) }),
      aTool('json', { execute: () => JSON.stringify({ password: SECRET }) }),
      aTool('fail', { execute: () => Promise.reject(new Error(`wrong password ${SECRET}`)) }),
      aTool('long', { execute: () => `${SECRET}${'x'.repeat(15_990)}${SECRET}${'y'.repeat(20_000)}` }),
    ]
    const { result, events } = await runOnce({
      modules: { plugins: [plugin], planning },
      tools,
      task: `Use ${SECRET}.`,
      model: createScriptedModel([
        { calls: tools.map(({ name }) => ({ call: name, with: { key: SECRET } })), say: `I use ${SECRET}.` },
        { content: `It was ${SECRET}.`, reasoning: SECRET, finish: 'stop' },
      ]),
      env: {
        secrets: [SECRET, ''],
        observe: (event) => observed.push(event),
        artifacts: { put: (id, value) => void artifacts.set(id, value), get: (id) => artifacts.get(id) as never },
      },
    })

    expect(result.status).toBe('answered')
    expect(result.answer).toBe('It was [secret].')
    expect(result.steps[0]?.observations[1]).toMatchObject({ data: { password: '[secret]', n: 12_345 } })
    expect(result.warnings).toEqual([expect.stringMatching(/the end: \[secret\]/)])
    expect(artifacts.size).toBeGreaterThan(0)
    for (const [name, value] of Object.entries({ result, events, observed, artifacts: [...artifacts] }))
      expect(holds(value), name).toBe(false)
  })

  test('reaches no error of a failed run, and no reason of an agent or an abort', async () => {
    const action = defineModule({
      ...minimalAction,
      act: () => {
        throw new Error(`broken by ${SECRET}`)
      },
    })
    const failing = defineModule({ ...minimalAction, act: () => ({ kind: 'fail', reason: `gave up on ${SECRET}` }) })
    const secrets = { env: { secrets: [SECRET] } }

    expect(holds((await runOnce({ ...secrets, modules: { action } })).result)).toBe(false)
    expect(holds((await runOnce({ ...secrets, modules: { action: failing } })).result)).toBe(false)
    expect(holds((await runOnce({ ...secrets, signal: AbortSignal.abort(new Error(SECRET)) })).result)).toBe(false)
  })

  test('that the task holds is sent to the model and handed to the tool, which need it', async () => {
    const seen: unknown[] = []
    const login = aTool('login', {
      execute: (args) => {
        seen.push(args)
        return 'in'
      },
    })
    const { requests, result } = await runOnce({
      task: `Log in with ${SECRET}.`,
      tools: [login],
      script: [{ call: 'login', with: { password: SECRET } }, 'done'],
      env: { secrets: [SECRET] },
    })

    expect(requests[0]?.messages[0]?.content).toContain(SECRET)
    expect(seen).toEqual([{ password: SECRET }])
    expect(result.steps[0]?.messages[0]?.toolCalls?.[0]?.arguments).toBe('{"password":"[secret]"}')
  })

  test('that begins like another leaves no end of that other behind', async () => {
    const { result } = await runOnce({ script: ['abc and abcdef'], env: { secrets: ['abc', 'abcdef'] } })

    expect(result.answer).toBe('[secret] and [secret]')
  })

  test('that stands in a text more than once is replaced each time', async () => {
    const { result } = await runOnce({ script: ['hunter2, hunter2 and hunter2'], env: { secrets: ['hunter2'] } })

    expect(result.answer).toBe('[secret], [secret] and [secret]')
  })

  test('that is a number does not break the data that holds it', async () => {
    const data = aTool('data', { execute: () => ({ n: 1_234_567, text: 'pin 345' }) })
    const { result } = await runOnce({ tools: [data], script: [{ call: 'data' }, 'done'], env: { secrets: ['345'] } })

    expect(result.steps[0]?.observations[0]?.data).toEqual({ n: 1_234_567, text: 'pin [secret]' })
  })
})
