import { type Fields, fieldsOf, parseJson, textOf } from '../json-fields.js'
import type { Head } from '../transport/sending.js'
import { Failure, type FailureCode } from './failure.js'
import { retryAfterMs } from './retry-after.js'

const OVERFLOW =
  /context[ _-]?(length|window|size)|maximum context|(prompt|input|request)[^.]{0,40} (is )?too (long|large)|too many (input )?tokens|range of input length|prompt exceeds|reduce the length|context_length_exceeded|exceed_context_size|超长/i
const FILTER =
  /content[ _-]?(filter|policy|management|exists risk)|data_?inspection|inappropriate content|moderation|flagged|safety system|sensitive (content|words?|information)/i
const KEY =
  /(invalid|incorrect|missing|no)[ _]api[ _-]?key|api[ _-]?key[^.]{0,20}(invalid|incorrect|not valid|missing)/i
const OVERLOAD = /overload|over capacity|at capacity|system is busy|too busy|temporarily unavailable/i
const QUOTA =
  /insufficient[ _](quota|balance|credit)|exceeded your current quota|billing|payment required|quota exhausted/i
const RATE = /rate[ _-]?limit|too many requests|requests per|tokens per/i

/** What a refusal says, wherever it says it. */
interface Said {
  readonly message: string
  readonly code: string | undefined
  readonly words: string
}

/** A refusal: what the endpoint said instead of a reply. */
export interface Refusal {
  readonly head: Head
  readonly body: string
  readonly nowMs: number
}

/** The class of a refusal, by its status, its code and its words. */
export function failureOf({ head, body, nowMs }: Refusal): Failure {
  const { status } = head
  const value = parseJson(body)
  const said = saidOf(value, body)
  const wait = retryAfterMs(head, value, nowMs)
  const requestId = head.header('x-request-id')
  const isQuota = QUOTA.test(said.words) || status === 402
  const code = isQuota ? 'E_MODEL_RATE_LIMIT' : classOf(status, said)
  const location = status >= 300 && status < 400 ? head.header('location') : undefined
  if (location !== undefined) {
    return new Failure('E_MODEL_BAD_REQUEST', {
      message: `The endpoint answered ${status}: it has moved to ${location.slice(0, 200)}`,
      hint: 'Give the new address as the base URL: a key is not sent after a redirect.',
      status,
    })
  }
  return new Failure(code, {
    message: `The endpoint answered ${status}${said.message === '' ? ', and nothing else' : `: ${said.message}`}`,
    status,
    ...(said.code === undefined ? {} : { endpointCode: said.code }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(isQuota
      ? { isFinal: true, hint: 'The quota or balance of the account is used up: waiting does not help.' }
      : {}),
  })
}

/** The class of an error that came inside a reply, with status 200. */
export function failureInReply(error: unknown, head: Head, nowMs: number): Failure {
  const fields = fieldsOf(error) ?? { message: error }
  const status = [fields['status'], fields['code'], fields['status_code']]
    .map(Number)
    .find((one) => one >= 400 && one < 600)
  return failureOf({
    head: { status: status ?? statusOfWords(saidOf({ error: fields }, '')), header: (name) => head.header(name) },
    body: JSON.stringify({ error: fields }),
    nowMs,
  })
}

/** An error without a status is the server's own, unless its words say otherwise. */
function statusOfWords({ words }: Said): number {
  if (RATE.test(words)) return 429
  return OVERFLOW.test(words) || FILTER.test(words) || /invalid_request/.test(words) ? 400 : 500
}

function classOf(status: number, { words }: Said): FailureCode {
  if (status === 429) return OVERLOAD.test(words) && !RATE.test(words) ? 'E_MODEL_OVERLOADED' : 'E_MODEL_RATE_LIMIT'
  if (status === 408 || status === 504) return 'E_MODEL_TIMEOUT'
  if (OVERFLOW.test(words)) return 'E_MODEL_CONTEXT_OVERFLOW'
  if (status === 451 || (status < 500 && FILTER.test(words))) return 'E_MODEL_CONTENT_FILTER'
  if (status === 401 || status === 403 || status === 407 || (status < 500 && KEY.test(words))) return 'E_MODEL_AUTH'
  if (status === 413) return 'E_MODEL_CONTEXT_OVERFLOW'
  if (status === 409 || status === 425) return 'E_MODEL_OVERLOADED'
  if (status >= 500 && status !== 501 && status !== 505) return 'E_MODEL_OVERLOADED'
  return 'E_MODEL_BAD_REQUEST'
}

function saidOf(value: unknown, body: string): Said {
  const top: Fields = fieldsOf(value) ?? {}
  const error = fieldsOf(top['error']) ?? top
  const plain = textOf(top['error']) ?? (value === undefined ? withoutMarkup(body) : undefined)
  const detail = top['detail'] === undefined ? undefined : asText(top['detail'])
  const message = textOf(error['message']) ?? textOf(error['msg']) ?? plain ?? detail ?? ''
  const raw = textOf(fieldsOf(error['metadata'])?.['raw']) // what a gateway was told by the endpoint behind it
  const codes = [error['code'], error['type']].map((one) =>
    one === undefined || one === null ? undefined : asText(one),
  )
  return {
    message: message.slice(0, 500),
    code: codes.find((one) => one !== undefined),
    words: [message, raw, ...codes].join(' '),
  }
}

function withoutMarkup(body: string): string {
  return body
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
