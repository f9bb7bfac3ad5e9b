const CODES = new Set([
  'E_MODEL_AUTH',
  'E_MODEL_RATE_LIMIT',
  'E_MODEL_OVERLOADED',
  'E_MODEL_TRANSPORT',
  'E_MODEL_TIMEOUT',
])

/** Whether a code is that of a fault of an endpoint: it says nothing of a harness, whose run is then masked. */
export function isInfrastructureFault(code: string): boolean {
  return CODES.has(code)
}
