import type { Message, Part, ToolCall } from '@harnesswright/core'
import { badRequest } from './refusal.js'
import { objectOf, objectsOf, optional, type Place, pathOf, placeOf, required } from './wire-fields.js'

/** The messages of a request. @throws Refusal that names the field which is not as the interface has it. */
export function readMessages(request: Place): readonly Message[] {
  const messages = objectsOf(request, 'messages') ?? []
  if (messages.length === 0) throw badRequest('messages must be a list of at least one message.', 'messages')
  return messages.map(readMessage)
}

function readMessage(place: Place): Message {
  const role = required(place, 'role', 'string')
  switch (role) {
    case 'system':
    case 'user':
      return { role, content: readContent(place) }
    case 'developer':
      return { role: 'system', content: readContent(place) }
    case 'tool':
      return { role, content: readContent(place), callId: required(place, 'tool_call_id', 'string') }
    case 'assistant': {
      const toolCalls = objectsOf(place, 'tool_calls')?.map(readCall) ?? []
      const content = (place.fields['content'] ?? null) === null ? '' : readContent(place)
      return { role, content, ...(toolCalls.length === 0 ? {} : { toolCalls }) }
    }
    default:
      throw badRequest(`${place.path}.role must be system, developer, user, assistant or tool.`, pathOf(place, 'role'))
  }
}

function readContent(place: Place): string | readonly Part[] {
  if (typeof place.fields['content'] === 'string') return place.fields['content']
  const path = pathOf(place, 'content')
  if (!Array.isArray(place.fields['content'])) throw badRequest(`${path} must be a string or a list of parts.`, path)
  return (objectsOf(place, 'content') ?? []).map(readPart)
}

function readPart(place: Place): Part {
  const type = required(place, 'type', 'string')
  if (type === 'text') return { type, text: required(place, 'text', 'string') }
  if (type === 'refusal') return { type: 'text', text: required(place, 'refusal', 'string') }
  if (type === 'image_url') return { type: 'image', url: required(objectOf(place, 'image_url'), 'url', 'string') }
  throw badRequest(`${place.path}.type must be text, image_url or refusal.`, pathOf(place, 'type'))
}

function readCall(place: Place): ToolCall {
  const called = readFunction(place)
  return {
    id: required(place, 'id', 'string'),
    name: required(called, 'name', 'string'),
    arguments: required(called, 'arguments', 'string'),
  }
}

/** What is under `function` in a tool, a call or a choice. @throws Refusal when it is of another type. */
export function readFunction(place: Place): Place {
  if ((optional(place, 'type', 'string') ?? 'function') !== 'function')
    throw badRequest(`${pathOf(place, 'type')} must be function.`, pathOf(place, 'type'))
  return placeOf(place.fields['function'], pathOf(place, 'function'))
}
