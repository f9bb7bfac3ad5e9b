import { expect, test } from 'vitest'
import * as z from 'zod'
import { assemble } from '../assemble/assemble.js'
import { createEnvironment } from '../environment/create-environment.js'
import { defineModule } from '../module/define-module.js'
import { assembleModules } from './assemble-modules.js'
import { minimalMemory } from './minimal-modules.js'
import { createScriptedModel } from './scripted-model.js'

const env = () => createEnvironment({ model: createScriptedModel(['done']) })

test('what is no JSON value is no manifest', async () => {
  const catalog = { read: async () => ({ problems: [] }) } as never

  await expect(assemble(undefined as never, { catalog, env: env() })).rejects.toMatchObject({ code: 'E_MANIFEST_JSON' })
})

test('options that the module itself refuses are refused', async () => {
  const memory = defineModule({ ...minimalMemory, options: z.strictObject({ last: z.int().describe('Steps.') }) })
  const options = new Map([[memory, { last: 'three' }]])

  await expect(assembleModules({ memory, options }, env())).rejects.toMatchObject({ code: 'E_MANIFEST_OPTION' })
})

test('a module that is named and not at hand is refused', async () => {
  const manifest = { memory: { use: '@test/modules#elsewhere' } }

  await expect(assembleModules({ manifest }, env())).rejects.toMatchObject({ code: 'E_MANIFEST_UNKNOWN_MODULE' })
})
