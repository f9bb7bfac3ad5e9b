import { above, isFields, valueAt } from '../../pointer.js'
import { type PatchOperation, patchedCopy } from '../patch.js'
import type { RepairCase } from '../repair-case.js'
import type { RepairAnswer, Repairer, RepairInput } from '../repairer.js'
import { mendModule } from './mend-module.js'
import { mendOption } from './mend-option.js'
import { mendPrompt } from './mend-prompt.js'
import { mendSlot } from './mend-slot.js'

/** What a rule gives: operations, and whether it is beyond doubt what was meant. */
export interface Mend {
  readonly patch: readonly PatchOperation[]
  readonly isSure: boolean
  readonly said: string
}

/** How a rules repairer decides. */
export interface RulesRepairerOptions {
  /** Only what is beyond doubt: misspelt names, numbers written as text, what cannot be there. Default false: a guess is better than nothing. */
  readonly onlySure?: boolean
}

/**
 * Mends what is wrong by rules: names by the nearest one, values by the nearest that is allowed, and otherwise leaves out
 * what need not be there. It asks no model.
 */
export function createRulesRepairer({ onlySure = false }: RulesRepairerOptions = {}): Repairer {
  return {
    name: 'rules',
    repair(input): RepairAnswer {
      const [patch, covers, said]: [PatchOperation[], RepairCase[], string[]] = [[], [], []]
      let { manifest } = input
      // From the last place to the first: taking an entry out of a list does not move those before it.
      for (const one of input.cases.toReversed()) {
        const mend = mendCase(one, { ...input, manifest })
        if (mend === undefined || (onlySure && !mend.isSure)) continue
        const own = withoutEmpty(mend.patch, manifest, input.cases)
        const applied = patchedCopy(manifest, own)
        const next = 'changed' in applied ? applied.changed : undefined
        // Of two problems in one place the first to be mended mends both.
        if (next !== undefined || covers.some(({ pointer }) => pointer === one.pointer)) covers.push(one)
        if (next === undefined) continue
        patch.push(...own)
        said.push(mend.said)
        manifest = next
      }
      return { patch, covers, said: said.join('; ') || 'no rule says what was meant' }
    },
  }
}

/** The last option or prompt of a module is taken away with what held it, unless another case is about that. */
function withoutEmpty(
  patch: readonly PatchOperation[],
  manifest: unknown,
  cases: readonly RepairCase[],
): readonly PatchOperation[] {
  const [only, ...others] = patch
  if (only?.op !== 'remove' || others.length > 0) return patch
  const path = above(only.path)
  const held = valueAt(manifest, path)
  const isLast = /\/(with|prompts)$/.test(path) && isFields(held) && Object.keys(held).length === 1
  const isAsked = cases.some(({ pointer }) => pointer === path || pointer === above(path))
  return isLast && !isAsked ? [{ op: 'remove', path }] : patch
}

function mendCase(one: RepairCase, input: RepairInput): Mend | undefined {
  if (one.family === 'runtime') return mendModule(one, input)
  switch (one.code) {
    case 'E_MANIFEST_OPTION':
      return mendOption(one, input)
    case 'E_MANIFEST_PROMPT':
      return mendPrompt(one, input)
    case 'E_MANIFEST_AUTHORITY':
      return one.pointer.endsWith('/use')
        ? mendModule(one, input)
        : remove(one, 'an option that only the host sets was left out')
    case 'E_COMPOSE_DEAD':
      return mendDead(one, input)
    case 'E_MANIFEST_UNKNOWN_MODULE':
    case 'E_MANIFEST_SLOT':
      return mendModule(one, input)
    case 'E_MANIFEST_MISSING':
    case 'E_MANIFEST_TYPE':
    case 'E_MANIFEST_UNKNOWN_FIELD':
      return mendSlot(one, input)
    default:
      return one.family === 'interface' ? mendModule(one, input) : undefined
  }
}

/** An option or prompt that changes nothing goes; so does a module. */
function mendDead(one: RepairCase, input: RepairInput): Mend | undefined {
  if (/\/(with|prompts)\/[^/]*$/.test(one.pointer)) return remove(one, 'what changes nothing was left out')
  return mendModule(one, input)
}

function remove({ pointer }: RepairCase, said: string): Mend {
  return { patch: [{ op: 'remove', path: pointer }], isSure: true, said: `${said}: ${pointer}` }
}
