import { type Catalog, type CatalogPackage, defineModule, type Module } from '@harnesswright/core'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as aggagent from '@harnesswright/seed-aggagent'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import * as resum from '@harnesswright/seed-resum'
import * as roma from '@harnesswright/seed-roma'
import { z } from 'zod'

const SEEDS = {
  react,
  'plan-and-execute': planAndExecute,
  agentfold,
  aggagent,
  'flash-searcher': flashSearcher,
  recursive,
  resum,
  roma,
} as const

const real: readonly CatalogPackage[] = Object.entries(SEEDS).map(([name, modules]) =>
  // whatever else a package exports is no module, and is left out by its description
  definePackage({ name: `@harnesswright/seed-${name}`, modules: { ...modules } as unknown as Record<string, Module> }),
)

const TOPICS = ['orders', 'travel', 'letters', 'tables', 'records', 'prices', 'maps', 'minutes'] as const

/** The real seeds and eight generated packages, each with a module for every slot, and options of every kind. */
export function largeCatalog(): Catalog {
  return createCatalog([...real, ...TOPICS.map(generatedPackage)])
}

function generatedPackage(topic: (typeof TOPICS)[number]): CatalogPackage {
  const memory = defineModule({
    slot: 'memory',
    summary: `Keeps the last steps and what is said of ${topic}.`,
    options: z.object({
      kept: z
        .int()
        .min(1)
        .max(50)
        .default(8)
        .describe('Steps that are kept.')
        .meta({ buckets: [4, 8, 16] }),
      style: z.enum(['plain', 'dated']).default('plain').describe('How steps are headed.'),
    }),
    view: (ctx) => ctx.view,
  })
  const planning = defineModule({
    slot: 'planning',
    summary: `Looks for ${topic} first, and then at the rest.`,
    options: z.object({
      goals: z
        .int()
        .min(1)
        .max(12)
        .default(3)
        .describe('Most goals.')
        .meta({ buckets: [2, 3, 6] }),
    }),
    direct: () => ({ text: `Look for ${topic} first.` }),
  })
  const capability = defineModule({
    slot: 'capability',
    summary: `Offers all tools, those for ${topic} first.`,
    options: z.object({ strict: z.boolean().default(false).describe('Offers no others.') }),
    select: (ctx) => ctx.capabilities,
  })
  const action = defineModule({
    slot: 'action',
    summary: `Asks for the next step and reminds of ${topic}.`,
    options: z.object({
      share: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe('How often it reminds.')
        .meta({ buckets: [0.25, 0.5, 1] }),
    }),
    act: () => ({ kind: 'answer', answer: topic }),
  })
  return definePackage({
    name: `generated-${topic}`,
    version: '1.0.0',
    modules: { memory, planning, capability, action },
  })
}
