import type { BodyReader, Reading } from './body-reader.js'
import { RefusalReader } from './refusal-reader.js'
import { StreamReader } from './stream-reader.js'
import { WholeReader } from './whole-reader.js'

/** What reads a body, by the form in which it comes: an endpoint may stream what was not to be streamed, and the other way round. */
export function readerOf(reading: Reading): BodyReader {
  const { head, onDelta } = reading
  if (head.status < 200 || head.status > 299) return new RefusalReader(reading)
  const type = head.header('content-type') ?? ''
  const isStream = type.includes('text/event-stream') || (onDelta !== undefined && !/json|html/.test(type))
  return isStream ? new StreamReader(reading) : new WholeReader(reading)
}
