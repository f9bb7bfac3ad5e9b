/** What a model was seen to follow when it was asked. `null`: it was not asked for that, or its reply was cut. */
export interface ModelProbe {
  /** Id of the model. */
  readonly model: string
  /** The model says that it has calls of its own. */
  readonly hasTools: boolean
  /** It made a call of its own, with the arguments that it was told. */
  readonly native: boolean | null
  /** It made a call in the codec json. `null` where that codec is not registered. */
  readonly json: boolean | null
  /** It wrote a plan as JSON. */
  readonly plan: boolean | null
  /** Version of the questions: of another one nothing is believed. */
  readonly version: 1
}

/** Where probes are kept, by the id of a model: in memory, or in a file of the host. */
export interface ProbeStore {
  /** What is kept of the model of that id; undefined when nothing is. */
  get(model: string): ModelProbe | undefined | Promise<ModelProbe | undefined>
  /** Keeps a probe in the place of one before it. */
  set(probe: ModelProbe): void | Promise<void>
}

/** Probes that last as long as the process. */
export function memoryProbes(): ProbeStore {
  const probes = new Map<string, ModelProbe>()
  return { get: (model) => probes.get(model), set: (probe) => void probes.set(probe.model, probe) }
}

/** Whether a value, read from somewhere, is a probe of this version. */
export function isModelProbe(value: unknown): value is ModelProbe {
  if (typeof value !== 'object' || value === null) return false
  const { model, hasTools, native, json, plan, version } = value as Readonly<Record<string, unknown>>
  const isSeen = (one: unknown): boolean => one === null || typeof one === 'boolean'
  return (
    version === 1 && typeof model === 'string' && typeof hasTools === 'boolean' && [native, json, plan].every(isSeen)
  )
}
