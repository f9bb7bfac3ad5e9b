import { messageOf } from '../errors/error.js'
import { templateVariables } from '../module/template.js'
import type { Authority } from '../protocol/index.js'
import type { Catalog, CatalogModule } from './catalog.js'
import { checkSchema } from './check-schema.js'
import { nearestNames } from './nearest.js'
import { isRecord, type JsonRecord, joinPointer } from './pointer.js'
import { describeValue, makeProblem, type Problem } from './problem.js'
import { FORBIDDEN_KEYS } from './survey.js'
import { type PlacedUse, unknownModule } from './uses.js'

const OPTION_CODES = { missing: 'E_MANIFEST_OPTION', unknown: 'E_MANIFEST_OPTION', wrong: 'E_MANIFEST_OPTION' } as const

/** What modules are checked against. */
export interface UseScope {
  readonly catalog: Catalog
  /** Authorities that packages may have; undefined when the author of the manifest is trusted with all. */
  readonly granted: readonly Authority[] | undefined
}

/** What is wrong with a module beside its form. It is looked up first; if it is not the right one, no more is said. */
export async function checkUse(placed: PlacedUse, { catalog, granted }: UseScope): Promise<Problem[]> {
  const { use, slot, pointer } = placed
  if (typeof use['use'] !== 'string') return []
  const module = catalog.find(use['use'])
  if (module === undefined) return [unknownModule(placed, catalog)]
  if (module.slot !== slot) {
    const [found, expected] = [`${module.use}, a module of slot ${module.slot}`, `a module of slot ${slot}`]
    return [
      makeProblem('E_MANIFEST_SLOT', `${pointer}/use`, { found, expected, nearest: catalog.nearest(module.use, slot) }),
    ]
  }
  const { authority } = module.package.description
  if (granted?.includes(authority) === false) {
    const [found, expected] = [
      `${module.use} with authority ${authority}`,
      `authority ${granted.join(' or ')}, as the host granted`,
    ]
    const allowed = catalog.modules(slot).filter((other) => granted.includes(other.package.description.authority))
    const nearest = nearestNames(
      module.use,
      allowed.map((other) => other.use),
    )
    return [makeProblem('E_MANIFEST_AUTHORITY', `${pointer}/use`, { found, expected, nearest })]
  }
  return [
    ...(await checkOptions(use['with'], module, pointer)),
    ...checkPrompts(use['prompts'], module, `${pointer}/prompts`),
  ]
}

async function checkOptions(given: unknown, module: CatalogModule, pointer: string): Promise<Problem[]> {
  if (given !== undefined && !isRecord(given)) return []
  const { options: schema, host = [] } = module.description
  const options = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => !host.includes(name)))
  // Without `with`, what is missing is missing from the object that could hold it.
  const place = { pointer: given === undefined ? pointer : `${pointer}/with`, codes: OPTION_CODES }
  try {
    return [...hostOptionProblems(given, module, pointer), ...(await checkSchema(options, schema, place))]
  } catch (cause) {
    const found = `${module.use}, whose options schema cannot be used: ${messageOf(cause)}`
    return [makeProblem('E_PROTOCOL_MODULE', `${pointer}/use`, { found, expected: 'another module' })]
  }
}

/** A problem for each option that only the host may set. */
export function hostOptionProblems(given: JsonRecord | undefined, module: CatalogModule, pointer: string): Problem[] {
  const { options, host = [] } = module.description
  return Object.keys(given ?? {})
    .filter((name) => host.includes(name))
    .map((name) => {
      const found = `${describeValue(name)}, which only the host may set`
      const nearest = nearestNames(name, Object.keys(isRecord(options['properties']) ? options['properties'] : {}))
      const fix = `Remove it, and set it for ${module.use} in the host options of the environment.`
      const at = joinPointer(`${pointer}/with`, name)
      return makeProblem('E_MANIFEST_AUTHORITY', at, { found, expected: 'options of behaviour only', nearest, fix })
    })
}

function checkPrompts(prompts: unknown, { use, description }: CatalogModule, pointer: string): Problem[] {
  const own = new Map(Object.entries(description.prompts))
  return Object.entries(isRecord(prompts) ? prompts : {}).flatMap(([name, text]) => {
    if (typeof text !== 'string' || FORBIDDEN_KEYS.has(name)) return []
    const [at, template] = [joinPointer(pointer, name), own.get(name)]
    if (template === undefined) {
      const expected = `a prompt of ${use}: ${[...own.keys()].join(', ') || 'it has none'}`
      return [
        makeProblem('E_MANIFEST_PROMPT', at, {
          found: describeValue(name),
          expected,
          nearest: nearestNames(name, own.keys()),
        }),
      ]
    }
    const known = templateVariables(template)
    const expected = `only variables of the prompt: ${known.map((one) => `{{${one}}}`).join(', ') || 'it has none'}`
    return templateVariables(text)
      .filter((variable) => !known.includes(variable))
      .map((variable) => {
        const found = `the variable {{${variable.slice(0, 60)}}}`
        return makeProblem('E_MANIFEST_PROMPT', at, { found, expected, nearest: nearestNames(variable, known) })
      })
  })
}
