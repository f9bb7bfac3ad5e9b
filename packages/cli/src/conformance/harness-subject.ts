import { assemble, type Catalog, type Clock, createEnvironment, type Model, type RunResult } from '@harnesswright/core'
import type { FaultOutcome, FaultSetup, FaultSubject, FaultTrait } from '@harnesswright/core/testkit'

/** What a harness of ours takes and tells. */
export const HARNESS_TRAITS: readonly FaultTrait[] = ['clock', 'reason', 'usage', 'warnings']

/** Longest time from an abort to the end of a run of ours, in ms. */
export const HARNESS_SETTLE_MS = 200

/** What a model is made with. Factories that take more have defaults for it. */
interface EndpointModelOptions {
  readonly model: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly idleMs?: number
  readonly clock?: Clock
}

/** A harness as the kit of faults meets it. */
export interface HarnessParts {
  /** Text of its manifest. */
  readonly manifest: string
  readonly catalog: Catalog
  /** Makes the model of an endpoint. */
  readonly makeModel: (options: EndpointModelOptions) => Model
}

/** The harness of a manifest on a model of an endpoint, with the defaults of both. */
export function harnessSubject({ manifest, catalog, makeModel }: HarnessParts): FaultSubject {
  return async (setup) => {
    const { clock, tools, stream, instruction, signal, onWarning } = setup
    const env = createEnvironment({
      model: makeModel(modelOptions(setup)),
      tools,
      ...(clock === undefined ? {} : { clock }),
      observe: (event) => void (event.type === 'warning' && onWarning(event.message)),
    })
    const harness = await assemble(manifest, { catalog, env, origin: 'host' })
    const run = harness.run(instruction, { signal })
    // A run streams where somebody reads its events.
    if (stream) for await (const _event of run);
    return toOutcome(await run.result)
  }
}

function modelOptions({ baseUrl, apiKey, model, limits, clock }: FaultSetup): EndpointModelOptions {
  const { idleMs } = limits
  return {
    model,
    baseUrl,
    apiKey,
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(clock === undefined ? {} : { clock }),
  }
}

function toOutcome({ answer, status, reason, spent }: RunResult): FaultOutcome {
  const { inputTokens, outputTokens } = spent.usage
  return {
    text: typeof answer === 'string' || answer === null ? answer : JSON.stringify(answer),
    status,
    ...(reason === undefined ? {} : { reason }),
    usage: { inputTokens, outputTokens },
  }
}
