import { bench, describe } from 'vitest'
import { manifestIdOf, validateManifest } from '../src/index.js'
import { aCatalog, aManifest } from '../test/manifest-fixture.js'

const catalog = aCatalog()
const manifest = aManifest()
await validateManifest(manifest, { catalog })

describe('a usual manifest', () => {
  bench('JSON.parse of its text', () => {
    JSON.parse(JSON.stringify(manifest))
  })

  bench('validate', async () => {
    await validateManifest(manifest, { catalog })
  })

  bench('manifestId', async () => {
    await manifestIdOf(manifest, catalog)
  })
})
