import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '@harnesswright/core'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import { findPackage } from '../packages/find-package.js'
import { OWN_DIRECTORY } from '../packages/project-packages.js'
import type { HarnessParts } from './harness-subject.js'

const SEED = '@harnesswright/seed-react'

/** The harness that comes with the command line: the seed react, on a model of plugin-model-openai. */
export function builtInHarness(catalog: Catalog): HarnessParts {
  const seed = findPackage(SEED, OWN_DIRECTORY)
  if (seed === undefined) throw new Error(`${SEED} is not installed`)
  return {
    manifest: readFileSync(join(seed.directory, 'manifest.json'), 'utf8'),
    catalog,
    makeModel: createOpenAiModel,
  }
}
