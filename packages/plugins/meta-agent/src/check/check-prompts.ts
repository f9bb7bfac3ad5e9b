import type { Catalog } from '@harnesswright/core'
import { isHarnessError, type Manifest, type ModelInfo, type Use } from '@harnesswright/core'
import { renderTemplate, templateVariables } from '@harnesswright/core/manifest'
import { type CheckProblem, FIELDS, placedModules } from './problem.js'

/** Share of the executor's window that the prompts of a manifest may take, at four characters a token. */
const WINDOW_SHARE = 0.25

/** Renders every prompt that a manifest replaces, with the variables of the module. */
export function checkPrompts(
  manifest: Manifest,
  catalog: Catalog,
  { contextWindow }: ModelInfo,
): readonly CheckProblem[] {
  let chars = 0
  const problems = placedModules(manifest).flatMap(({ slot, use, pointer }) => {
    const [, , index = '0'] = pointer.split('/')
    const given = [manifest[FIELDS[slot] as 'memory'] ?? []].flat()[Number(index)] as Use // placed there
    const own = catalog.find(use)?.description.prompts ?? {}
    return Object.entries(given.prompts ?? {}).flatMap(([name, text]): readonly CheckProblem[] => {
      chars += text.length
      const fault = faultOf(text, own[name] ?? '')
      if (fault === undefined) return []
      const fix = `Use the variables that the prompt has: ${templateVariables(own[name] ?? '').join(', ') || 'none'}.`
      return [{ code: 'E_RUN_PROMPT', pointer: `${pointer}/prompts/${name}`, message: fault, fix, module: use }]
    })
  })
  const most = (contextWindow ?? Number.POSITIVE_INFINITY) * 4 * WINDOW_SHARE
  if (problems.length > 0 || chars <= most) return problems
  const message = `The prompts of the manifest have ${chars} characters, which is more than a quarter of the window.`
  return [{ code: 'E_COMPOSE_PROMPTS', pointer: '', message, fix: 'Leave some of "prompts" out, or shorten them.' }]
}

function faultOf(text: string, own: string): string | undefined {
  const values = Object.fromEntries(templateVariables(own).map((name) => [name, `a ${name}`]))
  try {
    renderTemplate(text, values)
    return undefined
  } catch (thrown) {
    if (!isHarnessError(thrown)) throw thrown
    return thrown.message
  }
}
