import type { JsonSchema } from '@harnesswright/protocol'
import { sampleOf } from '../conformance/sample.js'
import { type FaultAnswer, say } from './answer.js'
import type { FaultRequest } from './server.js'
import { isRecord } from './wire.js'

/** True for a request that offers tools: the model is to act. */
export function isActing({ body }: FaultRequest): boolean {
  const tools = body['tools']
  return Array.isArray(tools) && tools.length > 0
}

/**
 * Answers a request that is for something else, such as a plan or a summary: with JSON of its schema, or with a sentence. It
 * reports no usage, so that the usage of a run is that of its row.
 */
export function answerAside(request: FaultRequest): FaultAnswer {
  const schema = schemaOf(request.body['response_format'])
  const text = schema === undefined ? 'Nothing is to be said of it.' : JSON.stringify(sampleOf(schema))
  return say(text, { usage: null })(request, [])
}

function schemaOf(format: unknown): JsonSchema | undefined {
  const described = isRecord(format) ? format['json_schema'] : undefined
  const schema = isRecord(described) ? described['schema'] : undefined
  return isRecord(schema) ? schema : undefined
}
