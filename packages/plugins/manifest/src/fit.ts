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
  /** Names of the codecs that there are beside `native`. Default: none. */
  readonly codecs?: readonly string[]
  /** Protocol number to fit. Default: that of this core. */
  readonly protocol?: number
}

/**
 * What keeps modules from working together or with the model: packages of another protocol, labels that are required and
 * not provided, features that the model lacks. All at once; an empty list means that they fit.
 */
export function fit(resolved: readonly ResolvedModule[], options: FitOptions): Problem[] {
  const { catalog, model, codec, codecs, protocol } = options
  const provided = resolved.flatMap(({ from }) => from.description.provides)
  const misfits = resolved.flatMap(({ from, pointer }) => {
    const lacking = [...new Set(from.description.requires)].filter((label) => !provided.includes(label))
    const missing = lacking.map((label) => missingLabel(label, catalog, `${pointer}/use`))
    return [...protocolProblem(from, pointer, protocol), ...missing]
  })
  return [...misfits, ...codecProblem(codec ?? 'auto', model, ['native', ...(codecs ?? [])])]
}

/** Codecs for models without tool calls, and the package that brings them. */
const TEXT_CODECS: readonly string[] = ['json', 'marker']
const TEXT_CODECS_FROM = '@harnesswright/plugin-codecs'

/** A codec that is not registered, or that the model cannot follow. `auto` is `native`, or `json` for a model without tool calls. */
function codecProblem(codec: CodecName, { id, supports }: ModelInfo, codecs: readonly string[]): Problem[] {
  const hasCalls = supports.tools === true
  const meant = codec === 'auto' ? (hasCalls ? 'native' : 'json') : codec
  const pointer = codec === 'auto' ? '' : '/codec'
  if (!codecs.includes(meant)) {
    const why =
      codec === 'auto' ? `${id}, a model without tool calls, which needs the codec json` : `the codec ${meant}`
    const part = { found: `${why}, which is not registered`, expected: `one of ${['auto', ...codecs].join(', ')}` }
    const fix = `Install ${TEXT_CODECS_FROM} and register its codecs, or use a model with tool calls.`
    const nearest = hasCalls ? ['auto', 'native'] : []
    return [makeProblem('E_PROTOCOL_MODEL', pointer, { ...part, nearest, fix })]
  }
  if (meant !== 'native' || hasCalls) return []
  const part = { found: `${id}, a model without tool calls`, expected: 'a model with tool calls for codec native' }
  const nearest = ['auto', ...TEXT_CODECS]
  return [
    makeProblem('E_PROTOCOL_MODEL', pointer, { ...part, nearest, fix: 'Write "codec": "auto", or use another model.' }),
  ]
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
