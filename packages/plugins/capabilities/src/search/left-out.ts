import type { Ctx, Tool } from '@harnesswright/core'

/** Names of the tools of the environment that the modules before this one left out at this step. */
export function leftOutBefore({ catalog, capabilities }: Pick<Ctx, 'catalog' | 'capabilities'>): string[] {
  const kept = new Set(capabilities.tools)
  return catalog.tools.filter((tool) => !kept.has(tool)).map(({ name }) => name)
}

/** The tools of the environment without those of the names. */
export function toolsWithout({ catalog }: Pick<Ctx, 'catalog'>, names: readonly string[]): readonly Tool[] {
  const left = new Set(names)
  return catalog.tools.filter(({ name }) => !left.has(name))
}
