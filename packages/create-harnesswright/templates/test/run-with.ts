import { createEnvironment, type ModelRequest, type RunResult, type Tool } from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type ModulesUnderTest,
  type Script,
} from '@harnesswright/core/testkit'

const page = { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] } as const

/** A tool that changes something, and one that reads a page of 1,000 characters. */
const tools: readonly Tool[] = [
  { name: 'write', description: 'Writes a page.', parameters: page, execute: () => 'written' },
  {
    name: 'read',
    description: 'Reads a page.',
    parameters: page,
    readOnly: true,
    execute: (input: { page: number }) => `page ${input.page}: `.padEnd(1_000, 'x'),
  },
]

/**
 * Runs modules on a model that says what it is told: it reads a page at each step but the last, and then answers.
 * Slots that are not named have the smallest module there is.
 */
export async function runWith(
  modules: ModulesUnderTest,
  { steps, most = 40 }: { readonly steps: number; readonly most?: number },
): Promise<{ readonly result: RunResult; readonly requests: readonly ModelRequest[] }> {
  const calls = Array.from({ length: steps - 1 }, (_, index): Script => {
    return { call: 'read', with: { page: index + 1 }, say: `Now page ${index + 1}.` }
  })
  const model = createScriptedModel([...calls, 'That is all.'])
  const env = createEnvironment({ model, tools, clock: createVirtualClock(), strict: true })
  const harness = await assembleModules(modules, env)
  const { result } = harness.run('Read the pages.', { limits: { steps: most } })
  return { result: await result, requests: model.requests }
}
