import type { Authority, Catalog, Environment, Manifest, Model, Origin } from '@harnesswright/core'
import { HarnessError } from '@harnesswright/core'
import type { AskingOptions } from '../model/asking-options.js'
import type { ProbeStore } from '../model/probe/model-probe.js'
import type { SeedName } from '../proposers/fixed-proposer.js'
import type { Proposer } from '../proposers/proposer.js'
import type { Repairer } from '../repair/repairer.js'
import type { SelectName } from '../select/selector.js'
import type { References } from './reference.js'

/** What a composition is made with. */
export interface ComposeOptions {
  /** Its default model, tools and limits are features of the task. */
  readonly env: Environment
  /** What there is to compose from. */
  readonly catalog: Catalog
  /**
   * Who writes the manifest: the table of rules, a model, the best of what a bank has for such tasks and else the rules
   * (`nearest`), the host itself, or a proposer. Default `model` with a `metaModel`, else `rules`.
   */
  readonly proposer?: 'rules' | 'model' | 'nearest' | { readonly fixed: SeedName | Manifest } | Proposer
  /** The model that composes, repairs and judges. Default: the environment's. */
  readonly metaModel?: Model
  /** How that model is asked. */
  readonly asking?: AskingOptions
  /** Manifests that are asked for, 1 to 8. Default 3 of a model, or `asking.candidates`; 1 of the rules. */
  readonly n?: number
  /** How one of several that pass is chosen. With `first-valid`, the default, the others are not repaired. */
  readonly select?: SelectName
  /** Who mends what fails. Default: rules where they are sure, then the model that composes, then rules. `off`: nobody. */
  readonly repair?: 'off' | readonly Repairer[]
  /** Harnesses of a bank: examples for the model, and what is taken when nothing that was proposed passes. Default: none. */
  readonly references?: References
  /** Asks an executor that is not known three short things, and believes what is kept of others. Default: the executor is not asked. */
  readonly probes?: ProbeStore
  /** A run on a scripted model with fake tools in simulated time, for each manifest. Default true. */
  readonly smoke?: boolean
  /** Whether parts that change nothing in it are looked for, and whether they are refused. Default `off`. */
  readonly liveness?: 'off' | 'report' | 'refuse'
  /** Where the manifests come from, which decides what they may name. What a model writes is of origin `model`. Default `host`. */
  readonly origin?: Origin
  /** Authorities that modules of a manifest of origin `model`, `bank` or `remote` may have. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
  /** Ends the composition. */
  readonly signal?: AbortSignal
}

const SELECTS: readonly unknown[] = ['first-valid', 'judge', 'logprob', 'diverse', undefined]

/** @throws HarnessError `E_COMPOSE_OPTIONS` when an option has a value that means nothing. */
export function checkComposeOptions({ n, select }: ComposeOptions): void {
  const isCount = n === undefined || (Number.isInteger(n) && n >= 1 && n <= 8)
  if (!isCount) throw wrong('n', n, 'an integer from 1 to 8')
  if (!SELECTS.includes(select)) throw wrong('select', select, '"first-valid", "judge", "logprob" or "diverse"')
}

function wrong(name: string, found: unknown, expected: string): HarnessError {
  return new HarnessError('E_COMPOSE_OPTIONS', {
    message: `The option ${name} of compose is ${JSON.stringify(found) ?? String(found)}; expected ${expected}.`,
    hint: `Give ${name} ${expected}, or leave it out.`,
  })
}
