import type { JsonSchema } from '@harnesswright/core'
import type { OfferedModule } from '@harnesswright/plugin-manifest'

/** Short names of modules for prompts and schemas, and the way back to the full ones. */
export interface Aliases {
  /** The short name of a module; its own name where it has none. */
  short(use: string): string
  /** A value with every short name under `use` written in full. Full names stay as they are. */
  lengthen(value: unknown): unknown
  /** A schema with the short names in place of the full ones, wherever a choice of modules is. */
  shorten(schema: JsonSchema): JsonSchema
}

/**
 * `react.memory` for `@harnesswright/seed-react#memory`: the package without scope and kind, and the export. Two modules that
 * would have the same short name keep their full ones.
 */
export function aliasesOf(modules: readonly Pick<OfferedModule, 'use'>[]): Aliases {
  const wanted = modules.map(({ use }) => [use, aliasOf(use)] as const)
  const counts = new Map<string, number>()
  for (const [, alias] of wanted) counts.set(alias, (counts.get(alias) ?? 0) + 1)
  const short = new Map(wanted.filter(([, alias]) => counts.get(alias) === 1))
  const long = new Map(Array.from(short, ([use, alias]) => [alias, use]))
  const toShort = (use: string): string => short.get(use) ?? use
  return {
    short: toShort,
    lengthen: (value) => mapUses(value, (use) => (typeof use === 'string' ? (long.get(use) ?? use) : use)),
    shorten: (schema) => mapUses(schema, (use) => shortSchema(use, toShort)) as JsonSchema, // a schema stays one
  }
}

function aliasOf(use: string): string {
  const [from = '', name = 'default'] = use.split('#', 2)
  const bare = from
    .replace(/^@[^/]+\//, '')
    .replace(/^harnesswright-/, '')
    .replace(/^(seed|plugin)-/, '')
  return `${bare}.${name}`
}

/** A value in which what stands under `use` is another. */
function mapUses(value: unknown, change: (use: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapUses(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    key === 'use' ? change(one) : mapUses(one, change),
  ])
  return Object.fromEntries(entries)
}

function shortSchema(use: unknown, short: (use: string) => string): unknown {
  const { enum: names } = (use ?? {}) as { readonly enum?: readonly unknown[] }
  if (!Array.isArray(names)) return use
  return { ...(use as object), enum: names.map((name) => (typeof name === 'string' ? short(name) : name)) }
}
