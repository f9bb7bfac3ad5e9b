// The framework whole: kernel, seed `react`, and the model plugin on the `openai` client.
import { reactRunner } from './react-runner.mjs'
import { catalogs, core, modelOpenAi, react } from './workspace.mjs'

export const load = () => Promise.all([core(), catalogs(), react(), modelOpenAi()])
export const loadCore = core

export async function setup({ baseUrl, steps, isStream, isStub, signal }) {
  const { createOpenAiModel } = await modelOpenAi()
  const options = { model: `mock-${steps}`, baseUrl, apiKey: 'x' }
  const model = createOpenAiModel(isStub ? { ...options, fetch: globalThis.fetch } : options)
  return await reactRunner(model, { steps, isStream, signal })
}
