import {
  callTools,
  type FaultRequest,
  type FaultScript,
  refuse,
  reply,
  say,
  streamOf,
  wireCall,
} from '@harnesswright/core/testkit'

/** Name of the one model of the endpoint. */
export const MODEL = 'm-1'

/** What an endpoint may lack: a script instead of the right one, for the requests it is about. */
export type Lack = (request: FaultRequest) => ReturnType<FaultScript> | undefined

/** An endpoint of one model that does all that a harness needs. What it lacks comes first. */
export function capableEndpoint(lack: Lack = () => undefined): FaultScript {
  return (request) => lack(request) ?? answerTo(request)(request, [])
}

function answerTo({ body, isStream }: FaultRequest): FaultScript {
  if (body.model !== MODEL)
    return refuse(404, { message: `There is no model ${JSON.stringify(body.model)}.`, type: 'invalid_request_error' })
  if (body['response_format'] !== undefined) return say('{"days":7}')
  if (body['max_tokens'] !== undefined)
    return say('1\n2\n3', { finish: 'length', usage: { prompt_tokens: 12, completion_tokens: 16 } })
  if (body.messages.at(-1)?.role === 'tool') return say('It is 3.')
  if (body['tools'] !== undefined) return callTools([wireCall('call_7', 'add', '{"a":1,"b":2}')])
  if (isCount(body.messages.at(-1)?.content) && isStream) return counting
  return reply({ content: 'ready' })
}

/** Asked to count: a stream that never ends by itself. */
function isCount(content: unknown): boolean {
  return String(content).startsWith('Count')
}

const counting: FaultScript = () => ({
  ...streamOf([{ role: 'assistant', content: '1\n' }], { finish: 'stop', noDone: true, usage: null }),
  end: 'silence',
})
