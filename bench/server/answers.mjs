// What the scripted endpoint says. It keeps no state: the turn is the number of tool messages in the request, so any
// number of clients may run at once. The model "mock-20" calls a tool twenty times, then answers.

const TOOL_MESSAGE = Buffer.from('"role":"tool"')
const FINAL = 'All tool calls are done. The final answer is 42.'
const ARGUMENT_PIECE = 4

/** The answer to a request body: one piece of JSON, or a stream of events when the request asks for that. */
export function answerTo(request) {
  const text = request.toString('latin1')
  const total = Number(/"model":"mock-(\d+)"/.exec(text)[1])
  const turn = countToolMessages(request)
  const reply = { turn, total, call: turn < total ? callOf(turn) : undefined }
  return text.includes('"stream":true')
    ? { contentType: 'text/event-stream', body: eventsOf(reply) }
    : { contentType: 'application/json', body: JSON.stringify(completionOf(reply)) }
}

function countToolMessages(request) {
  let count = 0
  for (let at = request.indexOf(TOOL_MESSAGE); at >= 0; at = request.indexOf(TOOL_MESSAGE, at + 1)) count++
  return count
}

function callOf(turn) {
  const id = `call_${String(turn).padStart(4, '0')}`
  return { id, type: 'function', function: { name: 'add', arguments: JSON.stringify({ a: turn, b: 1 }) } }
}

const headOf = ({ turn, total }) => ({ id: `chatcmpl-${turn}`, created: 1_700_000_000, model: `mock-${total}` })

function usageOf({ turn }) {
  return {
    prompt_tokens: 100 + 20 * turn,
    completion_tokens: 12,
    total_tokens: 112 + 20 * turn,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}

function completionOf(reply) {
  const { call } = reply
  const said = call === undefined ? { content: FINAL } : { content: null, tool_calls: [call] }
  const message = { role: 'assistant', refusal: null, ...said }
  const choice = { index: 0, message, logprobs: null, finish_reason: call === undefined ? 'stop' : 'tool_calls' }
  return { ...headOf(reply), object: 'chat.completion', choices: [choice], usage: usageOf(reply) }
}

function eventsOf(reply) {
  const head = { ...headOf(reply), object: 'chat.completion.chunk' }
  const deltas = reply.call === undefined ? textDeltas() : callDeltas(reply.call)
  const chunks = deltas.map((delta) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  }))
  const finish = reply.call === undefined ? 'stop' : 'tool_calls'
  chunks.push({ ...head, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finish }] })
  chunks.push({ ...head, choices: [], usage: usageOf(reply) })
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

function textDeltas() {
  const words = FINAL.split(/(?<= )/).map((content) => ({ content }))
  return [{ role: 'assistant', content: '' }, ...words]
}

function callDeltas(call) {
  const { name, arguments: text } = call.function
  const begun = { index: 0, id: call.id, type: 'function', function: { name, arguments: '' } }
  const pieces = text.match(new RegExp(`.{1,${ARGUMENT_PIECE}}`, 'g'))
  const rest = pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] }))
  return [{ role: 'assistant', content: null, tool_calls: [begun] }, ...rest]
}
