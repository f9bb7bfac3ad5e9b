import { nearestNames } from '@harnesswright/core'
import type { SelectName } from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import { cliError } from '../errors/cli-error.js'

const SELECTS: readonly SelectName[] = ['first-valid', 'judge', 'logprob', 'diverse']
const MOST = 8

/** How many manifests are proposed, how one is chosen, and whether parts that change nothing are looked for. */
export interface ComposeChoice {
  readonly n?: number
  readonly select?: SelectName
  readonly liveness: 'off' | 'report'
}

/**
 * `--n`, `--select`, and `--explain` of `compose`, which says too what of the manifest changes nothing.
 *
 * @throws HarnessError `E_CLI_OPTION` for a value that is none, `E_CLI_USAGE` for a choice that needs a model and has none.
 */
export function composeChoice({
  command,
  values,
  switches,
}: Pick<Arguments, 'values' | 'switches'> & { readonly command?: string }): ComposeChoice {
  const { n, select } = values
  const needsModel = (select === 'judge' || select === 'logprob') && values['meta-model'] === undefined
  if (needsModel) throw withoutModel(select)
  return {
    ...(n === undefined ? {} : { n: parseN(n) }),
    ...(select === undefined ? {} : { select: parseSelect(select) }),
    liveness: command === 'compose' && switches.has('explain') ? 'report' : 'off',
  }
}

function parseN(text: string): number {
  if (/^[1-8]$/.test(text)) return Number(text)
  throw cliError('E_CLI_OPTION', {
    message: `--n ${JSON.stringify(text)} is no number of manifests.`,
    where: '--n',
    expected: `a whole number from 1 to ${MOST}`,
    fix: 'Write --n 3, or another whole number.',
  })
}

function parseSelect(text: string): SelectName {
  const found = SELECTS.find((name) => name === text)
  if (found !== undefined) return found
  const [nearest] = nearestNames(text, SELECTS)
  throw cliError('E_CLI_OPTION', {
    message: `--select ${JSON.stringify(text)} is no way to choose.`,
    where: '--select',
    expected: `one of ${SELECTS.join(', ')}`,
    fix: `Write --select ${nearest ?? 'first-valid'}.`,
  })
}

function withoutModel(select: string): Error {
  return cliError('E_CLI_USAGE', {
    message: `--select ${select} asks the model that composes, and none is named.`,
    where: '--select',
    expected: 'a model named by --meta-model',
    fix: 'Add --meta-model <name>, or write --select diverse.',
  })
}
