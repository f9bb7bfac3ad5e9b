import type { Json, JsonSchema } from '@harnesswright/protocol'
import type { FaultScene, FaultTool } from './case.js'
import type { ToolRun } from './trace.js'

/** Parameters of the tool, unless a scene has its own. */
const NUMBERS: JsonSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
}

/** The tool `add` of a scene, and the calls that were made of it. */
export interface RecordedTool {
  readonly tool: FaultTool
  readonly runs: readonly ToolRun[]
}

/** Makes the tool of a scene; each call of it is kept. */
export function addTool(scene: FaultScene, released: Promise<void>, onStart: () => void): RecordedTool {
  const { parameters = NUMBERS, tool: behave = add } = scene
  const runs: ToolRun[] = []
  const tool: FaultTool = {
    name: 'add',
    description: 'Adds two numbers.',
    parameters,
    readOnly: true,
    async execute(args, { signal } = {}) {
      const run: ToolRun = { args: structuredClone(args), isFinished: false }
      runs.push(run)
      onStart()
      try {
        return await behave(args, { signal, released })
      } finally {
        run.isFinished = true
      }
    },
  }
  return { tool, runs }
}

function add({ a, b }: { readonly [name: string]: Json }): string {
  return String(Number(a) + Number(b))
}
