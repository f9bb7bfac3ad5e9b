import { insertMember, layoutOf } from './insert-member.js'
import { type ObjectPlace, placeAt, readPlaces } from './json-places.js'
import { isObject, listManifests } from './named-manifests.js'

/** The range of a package that has none yet; undefined for a module that is not known. */
export type RangeOf = (use: string) => { readonly name: string; readonly range: string } | undefined

/**
 * The text of a manifest with a range for every package from which a module comes, also in the manifests inside it. Ranges
 * that are there stay, and everything else of the text stays as it is, byte for byte.
 *
 * @param text - JSON alone, of an object.
 */
export function fillPackages(text: string, rangeOf: RangeOf): string {
  const manifests = listManifests(JSON.parse(text) as Readonly<Record<string, unknown>>)
  return manifests.reduce((filled, { path, manifest, uses }) => {
    const { packages } = manifest
    if (packages !== undefined && !isObject(packages)) return filled
    const missing = new Map(
      uses.flatMap((use) => {
        const found = rangeOf(use)
        return found === undefined || Object.hasOwn(packages ?? {}, found.name) ? [] : [[found.name, found.range]]
      }),
    )
    const sorted = [...missing].sort(([a], [b]) => compare(a, b))
    if (sorted.length === 0 && packages !== undefined) return filled
    if (packages === undefined) return addPackages(filled, path, Object.fromEntries(sorted))
    return sorted.reduce((into, [name, range]) => addRange(into, path, name, range), filled)
  }, text)
}

/** What stands before `packages` in a manifest. */
const BEFORE = ['$schema', 'protocol', 'name', 'description']

function addPackages(text: string, path: Path, value: Readonly<Record<string, string>>): string {
  const manifest = objectAt(text, path)
  const index = manifest.members.findLastIndex(({ key }) => BEFORE.includes(key)) + 1
  return insertMember(text, manifest, { key: 'packages', value, index })
}

/** Before the first package that comes after it, so that a list in order stays one. */
function addRange(text: string, path: Path, name: string, range: string): string {
  const packages = objectAt(text, [...path, 'packages'])
  const after = packages.members.findIndex(({ key }) => compare(key, name) > 0)
  const index = after < 0 ? packages.members.length : after
  return insertMember(text, packages, { key: name, value: range, index }, layoutOf(text, objectAt(text, path)))
}

type Path = readonly (string | number)[]

function objectAt(text: string, path: Path): ObjectPlace {
  return placeAt(readPlaces(text), path) as ObjectPlace // it was read there as an object
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
