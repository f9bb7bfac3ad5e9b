import {
  type Catalog,
  type CatalogPackage,
  createEnvironment,
  defineModule,
  type Environment,
  type Limits,
  type Module,
  type Schema,
  type Tool,
} from '@harnesswright/core'
import {
  createScriptedModel,
  minimalAction,
  minimalCapability,
  minimalMemory,
  minimalPlanning,
} from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'

/** Options as their JSON Schema describes them: core checks them with it. */
function optionsOf(properties: Readonly<Record<string, unknown>>): Schema<unknown, Readonly<Record<string, unknown>>> {
  const schema = { type: 'object', properties, additionalProperties: false }
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      jsonSchema: { input: () => schema },
      validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }), // checked by core before
    },
  }
}

const flag = { type: 'boolean', description: 'On or off.' }

/** The smallest modules with the options of the seeds, so that a manifest that passes here passes with the seeds. */
const memory = defineModule({
  ...minimalMemory,
  options: optionsOf({
    fill: { type: 'number', minimum: 0.1, maximum: 0.9, description: 'Share of the window.' },
    faithful: flag,
  }),
})
const action = defineModule({ ...minimalAction, options: optionsOf({ parallel: flag, faithful: flag }) })
const roadmap = defineModule({
  ...minimalPlanning,
  options: optionsOf({
    reviewEvery: { type: 'integer', minimum: 2, maximum: 50, description: 'Steps between reviews.' },
    maxGoals: { type: 'integer', minimum: 2, maximum: 40, description: 'Most goals.' },
  }),
})

/** The four modules of the seed react. */
export const reactModules: Readonly<Record<string, Module>> = {
  memory,
  planning: minimalPlanning,
  capability: minimalCapability,
  action,
}

/** A package of the name and modules of the seed react. */
export const reactPackage: CatalogPackage = aPackage('@harnesswright/seed-react', reactModules)

/** A package of the name and the module of the seed plan-and-execute. */
export const planPackage: CatalogPackage = aPackage('@harnesswright/seed-plan-and-execute', { planning: roadmap })

/** Both seeds. */
export const bothSeeds: Catalog = createCatalog([reactPackage, planPackage])

/** A package in memory, of version 1.4.2 unless another is given. */
export function aPackage(name: string, modules: Readonly<Record<string, Module>>, version = '1.4.2'): CatalogPackage {
  return definePackage({ name, version, modules })
}

/** An environment with a scripted model of a window of 32,000 tokens, and the usual tools of a workspace. */
export function anEnvironment(limits: Partial<Limits> = {}, tools: readonly Tool[] = workspaceTools): Environment {
  const model = createScriptedModel(['the answer'], { id: 'scripted', contextWindow: 32_000 })
  return createEnvironment({ model, tools, limits })
}

/** A tool that takes texts. */
function aTool(name: string, parameters: readonly string[]): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties }, execute: () => 'done' }
}

/** Tools that read, write and search files. */
const workspaceTools: readonly Tool[] = [
  aTool('read_file', ['path']),
  aTool('write_file', ['path', 'content']),
  aTool('search_files', ['query']),
]
