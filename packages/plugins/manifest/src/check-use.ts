import {
  type Catalog,
  type CatalogModule,
  type ErrorCode,
  nearestNames,
  type Problem,
  type Slot,
} from '@harnesswright/core'
import { isMisspelling, messageOf, templateVariables } from '@harnesswright/core/manifest'
import { checkSchema } from './check-schema.js'
import { isRecord, joinPointer } from './pointer.js'
import { describeValue, makeProblem } from './problem.js'
import { hostOptionProblems } from './resolve.js'
import type { PlacedUse } from './uses.js'

/**
 * What is wrong with a module beside its form. It is looked up first; if it is not the right one, no more is said.
 * `allowed` is the part of the catalog that the author of the manifest may use.
 */
export async function checkUse(placed: PlacedUse, catalog: Catalog, allowed: Catalog): Promise<Problem[]> {
  const { use, slot, pointer } = placed
  const name = use['use']
  if (typeof name !== 'string') return []
  const module = catalog.find(name)
  const wrong = (code: ErrorCode, found: string, expected: string, fix?: string): Problem[] => {
    const part = { found, expected, nearest: allowed.nearest(name, slot), ...(fix === undefined ? {} : { fix }) }
    return [makeProblem(code, `${pointer}/use`, part)]
  }
  const expected = `an installed module of slot ${slot}`
  if (module === undefined)
    return wrong('E_MANIFEST_UNKNOWN_MODULE', describeValue(name), expected, installFix(name, allowed, slot))
  if (module.slot !== slot) return wrong('E_MANIFEST_SLOT', `${name}, a module of slot ${module.slot}`, expected)
  const granted = 'an authority that the host granted for manifests of this origin'
  const found = `${name} with authority ${module.package.description.authority}`
  if (allowed.find(name) === undefined) return wrong('E_MANIFEST_AUTHORITY', found, granted)
  return [...(await checkOptions(use['with'], module, pointer)), ...checkPrompts(use['prompts'], module, pointer)]
}

/** A name of a package that is not there is seldom another's mistyped: it is to be installed and listed. */
function installFix(name: string, allowed: Catalog, slot: Slot): string | undefined {
  const [from = ''] = name.split('#', 1)
  const [nearest] = allowed.nearest(name, slot)
  const names = allowed.packages.map(({ description }) => description.name)
  if (names.includes(from) || names.some((known) => isMisspelling(from, known))) return undefined
  const other = nearest === undefined ? '' : `, or write "${nearest}"`
  return `Install ${from.slice(0, 100)} with its harnesswright.json and put it on the host's list${other}.`
}

async function checkOptions(given: unknown, module: CatalogModule, pointer: string): Promise<Problem[]> {
  if (given !== undefined && !isRecord(given)) return []
  const { options: root, host = [] } = module.description
  const value = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !host.includes(name)))
  try {
    // Without `with`, what is missing is missing from the object that could hold it.
    const place = { pointer: given === undefined ? pointer : `${pointer}/with`, code: 'E_MANIFEST_OPTION' } as const
    return [...hostOptionProblems(given, module, pointer), ...(await checkSchema({ value, root, ...place }))]
  } catch (cause) {
    const found = `${module.use}, whose options schema cannot be used: ${messageOf(cause)}`
    return [makeProblem('E_PROTOCOL_MODULE', `${pointer}/use`, { found, expected: 'another module' })]
  }
}

function checkPrompts(prompts: unknown, { description }: CatalogModule, pointer: string): Problem[] {
  const own = new Map(Object.entries(description.prompts))
  return Object.entries(isRecord(prompts) ? prompts : {}).flatMap(([name, text]) => {
    const at = joinPointer(`${pointer}/prompts`, name)
    const template = own.get(name)
    if (typeof text !== 'string') return []
    if (template === undefined) return [unknownName('prompt', name, [...own.keys()], at)]
    const known = templateVariables(template)
    const unknown = templateVariables(text).filter((variable) => !known.includes(variable))
    return unknown.map((variable) => unknownName('variable', variable, known, at))
  })
}

function unknownName(what: 'prompt' | 'variable', name: string, known: readonly string[], pointer: string): Problem {
  const part = { found: `the ${what} ${describeValue(name)}`, nearest: nearestNames(name, known) }
  const expected = `a ${what} of the module: ${known.join(', ') || 'it has none'}`
  return makeProblem('E_MANIFEST_PROMPT', pointer, { ...part, expected })
}
