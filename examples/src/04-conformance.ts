// A harness of one's own is put to the test: a loop of a few lines, made without this framework, meets some of the faults
// that endpoints, models and tools have. The endpoint is a real server on this computer, and no language model is asked.
import assert from 'node:assert/strict'
// #region imports
import {
  describeFinding,
  type FaultSubject,
  faultCases,
  inTurn,
  refuse,
  runFaultCase,
  say,
  startFaultServer,
} from '@harnesswright/core/testkit'

// #endregion imports

interface Message {
  readonly role: string
  readonly content?: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
}

// #region subject
/** Asks until there are no calls. It knows nothing of faults. */
const loop: FaultSubject = async ({ baseUrl, apiKey, model, instruction, tools, signal }) => {
  const messages: Message[] = [{ role: 'user', content: instruction }]
  const offered = tools.map(({ execute: _, readOnly: __, ...described }) => ({ type: 'function', function: described }))
  while (true) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools: offered }),
      signal,
    })
    const { choices } = (await response.json()) as { readonly choices: readonly [{ readonly message: Message }] }
    const [{ message }] = choices
    if (message.tool_calls === undefined) return { text: message.content ?? null }
    messages.push(message)
    for (const { id, function: call } of message.tool_calls) {
      const tool = tools.find(({ name }) => name === call.name)
      const content = (await tool?.execute(JSON.parse(call.arguments), { signal })) ?? 'error: there is no such tool'
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
  }
}
// #endregion subject

// #region run
const failed: string[] = []
for (const row of faultCases.filter(({ id }) =>
  ['ok', 'parallel', 'bad-json', 'unknown-tool', 'dup-ids'].includes(id),
)) {
  const { id, state, findings } = await runFaultCase(row, { mode: 'plain', subject: loop })
  console.log(`${state}: ${id}`)
  for (const finding of findings) console.log(`  ${describeFinding(finding)}`)
  if (state === 'failed') failed.push(id)
}
// #endregion run

assert.deepEqual(failed, ['unknown-tool', 'dup-ids', 'bad-json'])

// #region server
const server = await startFaultServer(inTurn(refuse(500, { message: 'oops', type: 'server_error' }), say('ready')))
const ask = (): Promise<Response> =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Are you ready?' }] }),
  })
const statuses = [(await ask()).status, (await ask()).status]
console.log(`${statuses.join(', then ')}; ${server.requests.length} requests were kept`)
await server.close()
// #endregion server

assert.deepEqual(statuses, [500, 200])
