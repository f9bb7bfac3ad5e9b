import { type Catalog, type CatalogPackage, defineModule, type Manifest } from '@harnesswright/core'
import { z } from 'zod'
import { createCatalog, definePackage } from '../src/catalog.js'

/** Memory with options of every kind that the manifest code treats apart. */
export const windowMemory = defineModule({
  slot: 'memory',
  summary: 'Shows the last steps.',
  options: z.object({
    steps: z.int().positive().default(8).describe('Steps shown.'),
    style: z
      .enum(['plain', 'boxed', 'numbered'])
      .default('plain')
      .describe('How steps are written.')
      .meta({ buckets: ['plain', 'boxed'] }),
    fold: z
      .object({ at: z.number().min(0).max(1).default(0.5), keep: z.int().default(2) })
      .optional()
      .describe('When to fold.'),
    source: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('head'), lines: z.int().default(3) }),
        z.object({ kind: z.literal('tail'), bytes: z.int() }),
      ])
      .optional()
      .describe('Where the text comes from.'),
    every: z
      .union([z.int().min(1), z.literal('auto'), z.null()])
      .optional()
      .describe('Steps between folds.'),
    tags: z
      .array(z.object({ name: z.string(), weight: z.number().default(1) }))
      .default([])
      .describe('Tags.'),
    root: z.string().optional().describe('Folder of the notes.').meta({ host: true }),
  }),
  prompts: { summarise: 'Summarise {{question}} in {{words}} words.', greet: 'Hello.' },
  provides: ['summary'],
  view: (ctx) => ctx.view,
})

export const stepPlanner = defineModule({
  slot: 'planning',
  summary: 'Plans.',
  options: z.object({
    goal: z.string().min(3).describe('What to plan for.'),
    depth: z.int().default(1).describe('Levels.'),
  }),
  requires: ['summary'],
  direct: () => ({ text: '' }),
})

const freePlanner = defineModule({ slot: 'planning', summary: 'Plans freely.', direct: () => ({ text: '' }) })

export const retrieval = defineModule({
  slot: 'capability',
  summary: 'Picks tools.',
  options: z.object({ top: z.int().min(1).max(20).default(5).describe('Tools kept.') }),
  select: (ctx) => ctx.capabilities,
})

export const act = defineModule({
  slot: 'action',
  summary: 'Acts.',
  prompts: { system: 'You answer {{question}}.' },
  act: () => ({ kind: 'fail', reason: 'none' }),
})

export const watcher = defineModule({ slot: 'plugin', summary: 'Watches.', observer: true })
export const guard = defineModule({ slot: 'plugin', summary: 'Guards.', provides: ['guard'] })
const shell = defineModule({ slot: 'plugin', summary: 'Runs commands.' })

/** A package whose import is counted: nothing but a run may import it. */
interface Spied extends CatalogPackage {
  loads: number
}

function spied(from: CatalogPackage): Spied {
  const one = {
    ...from,
    loads: 0,
    load() {
      one.loads++
      return from.load()
    },
  }
  return one
}

/** A catalog that counts what is imported. */
export type SpiedCatalog = Omit<Catalog, 'packages'> & { readonly packages: readonly Spied[] }

export function aCatalog(): SpiedCatalog {
  const packages = [
    definePackage({
      name: '@acme/memories',
      version: '0.3.1',
      integrity: 'sha256:aa',
      modules: { window: windowMemory },
    }),
    definePackage({ name: '@acme/planners', modules: { steps: stepPlanner, free: freePlanner } }),
    definePackage({ name: '@acme/tools', version: '1.2.0', integrity: 'sha256:bb', modules: { retrieval } }),
    definePackage({ name: '@acme/act', version: '2.0.0', integrity: 'sha256:cc', modules: { action: act } }),
    definePackage({
      name: '@acme/watch',
      version: '1.0.0',
      integrity: 'sha256:dd',
      modules: { default: watcher, guard },
    }),
    definePackage({ name: '@acme/shell', authority: 'process', modules: { default: shell } }),
  ].map(spied)
  return createCatalog(packages) as SpiedCatalog
}

/** A manifest without problems. */
export function aManifest(change: Readonly<Record<string, unknown>> = {}): Manifest {
  return {
    protocol: 1,
    name: 'example',
    packages: {
      '@acme/memories': '^0.3.0',
      '@acme/planners': '*',
      '@acme/tools': '^1.0.0',
      '@acme/act': '2.x',
      '@acme/watch': '1',
    },
    memory: { use: '@acme/memories#window', with: { steps: 4 } },
    planning: { use: '@acme/planners#steps', with: { goal: 'find' } },
    capability: [{ use: '@acme/tools#retrieval' }],
    action: { use: '@acme/act#action', prompts: { system: 'Answer {{question}} well.' } },
    plugins: [{ use: '@acme/watch' }],
    codec: 'json',
    limits: { steps: 12, perTool: { read: 3 } },
    metadata: { note: 'any', list: [1, { deep: true }] },
    ...change,
  } as Manifest
}
