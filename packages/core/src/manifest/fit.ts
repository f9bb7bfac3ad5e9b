import type { CodecName, ModelInfo } from '../protocol/index.js'
import type { Catalog, CatalogModule } from './catalog.js'
import { makeProblem, type Problem } from './problem.js'
import { PROTOCOL } from './protocol-number.js'
import type { ResolvedModule } from './resolve.js'

/** What resolved modules have to fit. */
export interface FitOptions {
  readonly catalog: Catalog
  /** The model of the run. */
  readonly model: ModelInfo
  /** The codec of the manifest. Default `auto`, which fits every model. */
  readonly codec?: CodecName
  /** Protocol number to fit. Default: that of this core. */
  readonly protocol?: number
}

/**
 * What keeps modules from working together or with the model: packages of another protocol, labels that are required and
 * not provided, features that the model lacks. All at once; an empty list means that they fit.
 */
export function fit(resolved: readonly ResolvedModule[], options: FitOptions): readonly Problem[] {
  const { catalog, model, codec, protocol } = options
  const placed = resolved.flatMap(({ use, pointer }) => {
    const module = catalog.find(use)
    return module === undefined ? [] : [{ module, pointer }]
  })
  const provided = new Set(placed.flatMap(({ module }) => module.description.provides))
  const problems = placed.flatMap(({ module, pointer }) => {
    const lacking = [...new Set(module.description.requires)].filter((label) => !provided.has(label))
    return [
      ...protocolProblem(module, pointer, protocol),
      ...lacking.map((label) => missingLabel(label, { module, pointer }, catalog)),
    ]
  })
  if (codec !== 'native' || model.supports.tools === true) return problems
  const found = `codec native for ${model.id}, a model without tool calls`
  const nearest = ['auto', 'json', 'marker']
  return [
    ...problems,
    makeProblem('E_PROTOCOL_MODEL', '/codec', { found, expected: 'a codec that fits the model', nearest }),
  ]
}

/** The problem of a module whose package is made for another protocol. */
export function protocolProblem(
  { package: from }: CatalogModule,
  pointer: string,
  protocol: number = PROTOCOL,
): Problem[] {
  const { name, protocol: own } = from.description
  if (own === protocol) return []
  const later = own < protocol ? `${name}, made for protocol ${protocol}` : `core, which speaks protocol ${own}`
  const found = `${name} ${from.version}, made for protocol ${own}`
  const [expected, fix] = [`a package made for protocol ${protocol}`, `Install a later version of ${later}.`]
  return [makeProblem('E_MANIFEST_PROTOCOL', `${pointer}/use`, { found, expected, fix })]
}

function missingLabel(label: string, place: { module: CatalogModule; pointer: string }, catalog: Catalog): Problem {
  const providers = catalog.modules().filter(({ description }) => description.provides.includes(label))
  const names = providers.map(({ use, slot }) => `${use} (${slot})`).join(', ')
  const found = `${place.module.use}, which requires "${label}"`
  const expected = `a module that provides "${label}"`
  const nearest = providers.slice(0, 3).map(({ use }) => use)
  const fix = names === '' ? `Install a package that provides "${label}".` : `Add one of: ${names}.`
  return makeProblem('E_PROTOCOL_REQUIRES', `${place.pointer}/use`, { found, expected, nearest, fix })
}
