import { type Clock, HarnessError, type Model, type ModelRequest, type ModelResponse } from '@harnesswright/core'
import type { Spending } from './spending.js'

/** What a model is asked with. */
export interface AskOptions {
  readonly model: Model
  readonly clock: Clock
  readonly spending: Spending
  /** Longest wait for a reply in ms. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * One counted model call. It ends when its time is up, or at once when the signal is aborted, whatever the model does.
 *
 * @throws HarnessError `E_MODEL_TIMEOUT` and what the model throws; the reason of the signal.
 */
export async function askModel(request: ModelRequest, options: AskOptions): Promise<ModelResponse> {
  const { model, clock, spending, timeoutMs, signal } = options
  const [stop, woken] = [new AbortController(), new AbortController()]
  const given = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  given.throwIfAborted()
  const late = new HarnessError('E_MODEL_TIMEOUT', {
    message: `The model "${model.id}" gave no reply in ${timeoutMs} ms.`,
  })
  clock.sleep(timeoutMs, woken.signal).then(
    () => stop.abort(late),
    () => {}, // answered before
  )
  const stopped = new Promise<never>((_, reject) => {
    given.addEventListener('abort', () => reject(given.reason), { once: true })
  })
  let response: ModelResponse | undefined
  try {
    response = await Promise.race([clock.during(model.generate(request, { signal: given })), stopped])
    if (response.latencyMs !== undefined) await clock.sleep(response.latencyMs, given)
    return response
  } finally {
    spending.add(request, response, model)
    woken.abort()
  }
}
