import type { Catalog, CatalogPackage, Problem } from '@harnesswright/core'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { isRecord, type JsonRecord, joinPointer } from './pointer.js'
import { describeValue, makeProblem } from './problem.js'
import type { PlacedUse } from './uses.js'

/** Version of a package that is linked from a workspace: it is inside every range. */
export const LINKED = '0.0.0-linked'

/** What is wrong with the ranges of packages. Those of packages that no module comes from need only be ranges. */
export function checkPackages(packages: unknown, uses: readonly PlacedUse[], catalog: Catalog): Problem[] {
  if (!isRecord(packages)) return []
  const named = uses.flatMap(({ use: { use } }) => (typeof use === 'string' ? use : []))
  const used = new Set(named.flatMap((use) => catalog.find(use)?.package ?? []))
  // Longer texts were told by their length, and are not read.
  const broken = Object.entries(packages).filter(([, range]) => isShort(range) && validRange(range) === null)
  return [
    ...broken.map(([name, range]) => {
      const expected = 'a range such as "^0.1.0"'
      return makeProblem('E_MANIFEST_TYPE', joinPointer('/packages', name), { found: describeValue(range), expected })
    }),
    ...Array.from(used).flatMap((one) => checkRange(one, packages)),
  ]
}

function isShort(range: unknown): range is string {
  return typeof range === 'string' && range.length <= 200
}

function checkRange({ description: { name }, version }: CatalogPackage, packages: JsonRecord): Problem[] {
  const range = Object.hasOwn(packages, name) ? packages[name] : undefined
  const own = `"${name}": "${version === LINKED ? '*' : `^${version}`}"`
  if (range === undefined) {
    const found = `no range for ${name}, from which a module comes`
    return [
      makeProblem('E_MANIFEST_PACKAGE', '/packages', { found, expected: `"${name}" with a range`, fix: `Add ${own}` }),
    ]
  }
  if (!isShort(range) || validRange(range) === null || version === LINKED || satisfies(version, range)) return []
  const [expected, fix] = [`a version inside ${range}`, `Install a version inside ${range}, or write ${own}.`]
  return [
    makeProblem('E_MANIFEST_VERSION', joinPointer('/packages', name), { found: `${name} ${version}`, expected, fix }),
  ]
}
