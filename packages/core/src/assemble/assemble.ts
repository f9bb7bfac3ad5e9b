import type { Manifest } from '@harnesswright/protocol'
import type { Environment } from '../environment/environment.js'
import { HarnessError } from '../errors/error.js'
import { createHooks } from '../hooks/hooks.js'
import type { Catalog, ReadOptions } from '../manifest/catalog.js'
import { problemsError } from '../manifest/problem.js'
import { checkTap } from '../run/strict.js'
import { Harness } from './harness.js'
import { tapModules } from './verbs.js'

/** What `assemble` needs beside the manifest. */
export interface AssembleOptions extends ReadOptions {
  readonly catalog: Catalog
  readonly env: Environment
}

/**
 * From a manifest to a harness that can run: parse, validate, resolve, fit, apply the modules in order, freeze.
 *
 * @throws HarnessError `E_MANIFEST_*` with every problem in `details.problems`; `E_PROTOCOL_*` when the parts do not fit;
 * `E_RUN_MODULE` when a plugin throws while it is applied.
 */
export async function assemble(source: Manifest | string, options: AssembleOptions): Promise<Harness> {
  const { catalog, env } = options
  const manifest = await checked(source, options)
  const mounts = await catalog.resolve(manifest, { hostOptions: env.hostOptions, model: env.model() })
  const { manifestId, harnessId } = await catalog.identify(manifest)
  let isFrozen = false
  const hooks = createHooks(() => isFrozen, checkTap)
  tapModules(hooks, mounts)
  isFrozen = true
  return new Harness({ manifest, manifestId, harnessId, mounts, hooks }, env)
}

async function checked(source: Manifest | string, options: AssembleOptions): Promise<Manifest> {
  const text: string | undefined = typeof source === 'string' ? source : JSON.stringify(source)
  if (text === undefined) throw new HarnessError('E_MANIFEST_JSON', { message: 'The manifest is no JSON value.' })
  const { manifest, problems } = await options.catalog.read(text, options)
  if (manifest === undefined) throw problemsError(problems)
  return manifest
}
