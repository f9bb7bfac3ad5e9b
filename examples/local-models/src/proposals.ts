import { type Catalog, createEnvironment, type Model, type ModelResponse, type Task } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { type Composition, compose } from '@harnesswright/plugin-meta-agent'

/** What became of one proposal. */
export interface Proposed {
  /** It was parsed, maps to a manifest, and that assembles: at the first reply. */
  readonly isRight: boolean
  /** Its reply ended by itself within the tokens. */
  readonly isWhole: boolean
  readonly outputTokens: number
  readonly seconds: number
  readonly manifestId: string
  /** The modules that it named. */
  readonly uses: readonly string[]
  /** What was wrong with it. */
  readonly fault?: string
}

const TASK: Task = {
  instruction: 'Read the 6 price lists in lists/ and write the cheapest offer for each item to best.json.',
}

/** Asks a model for one manifest, whose reply a grammar of the catalog binds. */
export async function propose(
  composer: Model,
  { catalog, seed, maxTokens = 400 }: { readonly catalog: Catalog; readonly seed: number; readonly maxTokens?: number },
): Promise<Proposed> {
  const began = performance.now()
  const replies: ModelResponse[] = []
  const metaModel: Model = {
    ...composer,
    async generate(...asked) {
      if (replies.length > 0) throw new Error('one reply is asked for')
      const reply = await composer.generate(...asked)
      replies.push(reply)
      return reply
    },
  }
  const env = createEnvironment({
    model: createScriptedModel(['done'], { id: 'executor', contextWindow: 32_000 }),
    limits: { tokens: 2_000_000 },
  })
  const asking = { candidates: 1, dialect: 'gbnf', seed, maxTokens, timeoutMs: 600_000 } as const
  const composition = await compose(TASK, { env, catalog, metaModel, asking })
  const [reply] = replies
  return {
    isRight: composition.route === 'model',
    isWhole: reply?.finish === 'stop',
    outputTokens: reply?.usage?.outputTokens ?? 0,
    seconds: (performance.now() - began) / 1_000,
    manifestId: composition.manifestId,
    uses: usesOf(composition),
    ...(composition.route === 'model' ? {} : { fault: faultOf(composition) }),
  }
}

function usesOf({ manifest: { memory, planning, capability, action } }: Composition): readonly string[] {
  return [memory, planning, capability, action].flat().flatMap((one) => one?.use ?? [])
}

function faultOf({ attempts, explanation }: Composition): string {
  const problem = attempts.find(({ route }) => route === 'model')?.problems[0]?.message
  return problem ?? explanation.find(({ applies }) => !applies)?.because ?? 'unknown'
}
