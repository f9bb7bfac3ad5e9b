import type { ModelRequest, ModelResponse, Reply } from '@harnesswright/core'

/** Turns canonical requests into what an endpoint takes, and its response into a canonical reply. */
export interface Codec {
  readonly name: string
  encode(request: ModelRequest): ModelRequest
  decode(response: ModelResponse, request: ModelRequest): Reply
}
