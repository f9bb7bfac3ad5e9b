import { isMisspelling, templateVariables } from '@harnesswright/core/manifest'
import { above, below, tokensOf, valueAt } from '../../pointer.js'
import type { RepairCase } from '../repair-case.js'
import type { RepairInput } from '../repairer.js'
import type { Mend } from './rules-repairer.js'

/** A prompt of a wrong name gets the nearest one; a variable of a wrong name too. What cannot be told is left out. */
export function mendPrompt(
  { pointer, nearest, module }: RepairCase,
  { manifest, catalog }: RepairInput,
): Mend | undefined {
  const name = tokensOf(pointer).at(-1) ?? ''
  const own = module === null ? undefined : catalog.find(module)?.description.prompts
  const text = valueAt(manifest, pointer)
  if (own === undefined || typeof text !== 'string') return undefined
  const left: Mend = {
    patch: [{ op: 'remove', path: pointer }],
    isSure: false,
    said: `${pointer} was left as it is by default`,
  }
  if (!Object.hasOwn(own, name)) {
    const meant = nearest.find((other) => isMisspelling(name, other))
    if (meant === undefined || valueAt(manifest, below(above(pointer), meant)) !== undefined) return left
    const patch = [{ op: 'move', from: pointer, path: below(above(pointer), meant) }] as const
    return { patch, isSure: true, said: `${pointer} was named ${meant}` }
  }
  const known = templateVariables(own[name] ?? '')
  const unknown = templateVariables(text).filter((variable) => !known.includes(variable))
  const renamed = unknown.map((variable) => [variable, meantOf(variable, known)] as const)
  if (renamed.length === 0 || renamed.some(([, meant]) => meant === undefined)) return left
  const value = renamed.reduce((all, [from, to]) => all.replaceAll(`{{${from}}}`, `{{${to}}}`), text)
  return {
    patch: [{ op: 'replace', path: pointer, value }],
    isSure: true,
    said: `a variable of ${pointer} was corrected`,
  }
}

function meantOf(variable: string, known: readonly string[]): string | undefined {
  const bare = variable.trim()
  return known.find((one) => one === bare) ?? known.find((one) => isMisspelling(bare, one))
}
