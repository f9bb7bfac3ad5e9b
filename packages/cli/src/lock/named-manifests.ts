const FIELDS = ['memory', 'planning', 'capability', 'action', 'plugins'] as const

type JsonObject = Readonly<Record<string, unknown>>

/** A manifest, or one that stands in the options of its modules for a child run, with the modules that it names. */
export interface NamedManifest {
  /** Keys and places from the outermost manifest. */
  readonly path: readonly (string | number)[]
  readonly manifest: JsonObject
  /** What stands in its `use`, each once, in the order of the text. */
  readonly uses: readonly string[]
}

/**
 * A manifest and those inside it, the outer one first. A change of the harness itself (`"extends": "self"`) is no manifest of
 * its own: what it names runs with the ranges of the one around it.
 */
export function listManifests(manifest: JsonObject, path: NamedManifest['path'] = []): readonly NamedManifest[] {
  const uses = new Set<string>()
  const inner: NamedManifest[] = []
  const look = (value: unknown, at: NamedManifest['path']): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, [...at, index])
    else if (isObject(value) && isManifest(value)) inner.push(...listManifests(value, at))
    else if (isObject(value) && value['extends'] === 'self') takeSlots(value, at)
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) look(item, [...at, key])
  }
  const takeUse = (value: unknown, at: NamedManifest['path']): void => {
    if (!isObject(value)) return
    if (typeof value['use'] === 'string') uses.add(value['use'])
    look(value['with'], [...at, 'with'])
  }
  const takeSlots = (object: JsonObject, at: NamedManifest['path']): void => {
    for (const field of FIELDS) {
      const value = object[field]
      if (!Array.isArray(value)) takeUse(value, [...at, field])
      else for (const [index, item] of value.entries()) takeUse(item, [...at, field, index])
    }
  }
  takeSlots(manifest, path)
  return [{ path, manifest, uses: [...uses] }, ...inner]
}

function isManifest({ protocol, action }: JsonObject): boolean {
  return typeof protocol === 'number' && isObject(action)
}

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
