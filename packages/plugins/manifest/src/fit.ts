import type { Catalog, CatalogModule, CodecName, ModelInfo, Problem } from '@harnesswright/core'
import { PROTOCOL } from '@harnesswright/core/manifest'
import { makeProblem } from './problem.js'
import type { ResolvedModule } from './resolve.js'

/** What resolved modules have to fit. */
export interface FitOptions {
  readonly catalog: Catalog
  /** The model of the run. */
  readonly model: ModelInfo
  /** The codec of the manifest. Default `auto`. */
  readonly codec?: CodecName
  /** Protocol number to fit. Default: that of this core. */
  readonly protocol?: number
}

/**
 * What keeps modules from working together or with the model: packages of another protocol, labels that are required and
 * not provided, features that the model lacks. All at once; an empty list means that they fit.
 */
export function fit(resolved: readonly ResolvedModule[], options: FitOptions): Problem[] {
  const { catalog, model, codec, protocol } = options
  const provided = resolved.flatMap(({ from }) => from.description.provides)
  const misfits = resolved.flatMap(({ from, pointer }) => {
    const lacking = [...new Set(from.description.requires)].filter((label) => !provided.includes(label))
    const missing = lacking.map((label) => missingLabel(label, catalog, `${pointer}/use`))
    return [...protocolProblem(from, pointer, protocol), ...missing]
  })
  return [...misfits, ...codecProblem(codec ?? 'auto', model)]
}

/** This version has the codec `native` alone, for models with tool calls; `auto` is that. */
function codecProblem(codec: CodecName, { id, supports }: ModelInfo): Problem[] {
  const expected = 'codec auto or native, and a model with tool calls'
  if (codec === 'json' || codec === 'marker') {
    const part = { found: `codec ${codec}, which this version does not have`, expected, nearest: ['auto', 'native'] }
    return [makeProblem('E_PROTOCOL_MODEL', '/codec', part)]
  }
  if (supports.tools === true) return []
  return [makeProblem('E_PROTOCOL_MODEL', '', { found: `${id}, a model without tool calls`, expected })]
}

/** The problem of a module whose package is made for another protocol. */
export function protocolProblem(module: CatalogModule, pointer: string, protocol: number = PROTOCOL): Problem[] {
  const { description, version } = module.package
  const { name, protocol: own } = description
  const later = own < protocol ? `${name}, made for protocol ${protocol}` : `core, which speaks protocol ${own}`
  const part = {
    found: `${name} ${version}, made for protocol ${own}`,
    expected: `a package made for protocol ${protocol}`,
  }
  const fix = `Install a later version of ${later}.`
  return own === protocol ? [] : [makeProblem('E_MANIFEST_PROTOCOL', `${pointer}/use`, { ...part, fix })]
}

function missingLabel(label: string, catalog: Catalog, pointer: string): Problem {
  const providers = catalog.modules().filter(({ description }) => description.provides.includes(label))
  const names = providers.map(({ use, slot }) => `${use} (${slot})`).join(', ')
  const nearest = providers.slice(0, 3).map(({ use }) => use)
  const part = { found: `no "${label}"`, expected: `a module that provides "${label}", which this one requires` }
  const fix = names === '' ? 'Install a package that has one.' : `Add one of: ${names}.`
  return makeProblem('E_PROTOCOL_REQUIRES', pointer, { ...part, nearest, fix })
}
