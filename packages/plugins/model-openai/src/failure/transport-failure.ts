import { fieldsOf } from '../json-fields.js'
import { Failure } from './failure.js'

const REFUSED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const TIMED_OUT = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** The class of an error of the line. The error itself is not kept, as it may hold headers. */
export function lineFailure(error: unknown, where: string): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  const why = code ?? (error instanceof Error ? error.message : String(error))
  if (code !== undefined && TIMED_OUT.has(code))
    return new Failure('E_MODEL_TIMEOUT', { message: `The endpoint ${where} did not answer in time (${why})` })
  const isRefused = code !== undefined && REFUSED.has(code)
  return new Failure('E_MODEL_TRANSPORT', {
    message: isRefused ? `No endpoint was reached at ${where} (${why})` : `The line to ${where} broke (${why})`,
    ...(code === undefined ? {} : { endpointCode: code }),
    ...(isRefused ? { isRefused } : {}),
  })
}

/** The code of an error, or of what caused it. */
function codeOf(error: unknown): string | undefined {
  let at = fieldsOf(error)
  for (let depth = 0; at !== undefined && depth < 5; depth++) {
    if (typeof at['code'] === 'string') return at['code']
    at = fieldsOf(at['cause'])
  }
  return undefined
}
