/** Whether the description in the package is that of its code. */
export const PACKAGE_TEST = `import { type Authority, describePackage } from 'harnesswright'
import { expect, test } from 'vitest'
import described from '../harnesswright.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import * as modules from '../src/index.js'

test('harnesswright.json says what the code is', () => {
  const { name, harnesswright } = manifest
  const authority = harnesswright.authority as Authority
  expect(described).toEqual(describePackage({ name, authority, modules: { ...modules } }))
})
`

/** Whether a seed's files agree with each other and its manifest runs. */
export const SEED_TEST = `import { seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage, type Manifest, type PackageDescription } from 'harnesswright'
import { describe, test } from 'vitest'
import described from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }
import pkg from '../package.json' with { type: 'json' }
import * as modules from '../src/index.js'

const own = definePackage({ name: pkg.name, version: pkg.version, modules: { ...modules } })
const seed = {
  manifest: manifest as unknown as Manifest,
  description: described as unknown as PackageDescription,
  fromCode: own.description,
  catalog: createCatalog([own]),
}

describe('the seed conforms', () => {
  for (const { name, run } of seedConformance(seed)) test(name, { timeout: 60_000 }, run)
})
`
