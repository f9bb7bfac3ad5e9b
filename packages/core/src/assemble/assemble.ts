import { HarnessError, type Manifest, problemsError } from '@harnesswright/protocol'
import type { Environment, RequiredPlugin } from '../environment/environment.js'
import { createHooks } from '../hooks/hooks.js'
import type { Catalog, ReadOptions } from '../manifest/catalog.js'
import { isModule } from '../module/define-module.js'
import type { HarnessCore } from '../run/run-state.js'
import { checkTap } from '../run/strict.js'
import type { LiveTurn } from '../run/turn.js'
import { Harness } from './harness.js'
import type { Mount } from './mount.js'
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
  return new Harness(await assembleCore(source, options), options.env)
}

async function assembleCore(source: Manifest | string, options: AssembleOptions): Promise<HarnessCore> {
  const { catalog, env } = options
  const manifest = await checked(source, options)
  const required = await Promise.all((env.required ?? []).map(requiredMount))
  const mounts = [
    ...required,
    ...(await catalog.resolve(manifest, {
      hostOptions: env.hostOptions,
      model: env.model(),
      codecs: env.codecs.map(({ name }) => name),
    })),
  ]
  for (const { module, options: own } of mounts)
    for (const spawned of module.spawns?.(own) ?? []) await checked(spawned, options)
  const { manifestId, harnessId } = await catalog.identify(manifest)
  let isFrozen = false
  const observers = mounts.filter(({ module, key }) => module.observer === true && !key.startsWith('required.'))
  const hooks = createHooks(
    () => isFrozen,
    checkTap,
    ({ message }, tap, turn) => {
      const isObserver = observers.some(({ key }) => tap.name === key || tap.name.startsWith(`${key}:`))
      if (isObserver) (turn as LiveTurn).run.warn(message, tap.module)
      return isObserver
    },
  )
  const warnings = tapModules(hooks, mounts)
  isFrozen = true
  return { manifest, manifestId, harnessId, mounts, hooks, warnings, child: childrenOf(manifest, options) }
}

/** Assembles the harnesses of child runs, each once. What they may name is what their parent might. */
function childrenOf(parent: Manifest, options: AssembleOptions): HarnessCore['child'] {
  const made = new Map<string, Promise<HarnessCore>>()
  return (asked) => {
    const { extends: _self, ...change } = asked as { extends?: 'self' } & Partial<Manifest>
    const text = JSON.stringify('extends' in asked ? { ...parent, ...change } : asked)
    const known = made.get(text) ?? assembleCore(text, options)
    made.set(text, known)
    return known
  }
}

/** A plugin that the host requires: its options are checked as those of a manifest. */
async function requiredMount({ use, module, with: given = {} }: RequiredPlugin, index: number): Promise<Mount> {
  if (!isModule(module))
    throw new HarnessError('E_PROTOCOL_LOAD', { message: `The required ${use} is no module.`, module: use })
  const parsed = (await module.options?.['~standard'].validate(given)) ?? { value: given }
  if (parsed.issues === undefined)
    return {
      key: `required.${index}`,
      slot: 'plugin',
      use,
      module,
      options: parsed.value,
      prompts: module.prompts ?? {},
    }
  const faults = parsed.issues.map(({ message }) => message).join('; ')
  throw new HarnessError('E_ENV_INVALID', {
    message: `The options of the required plugin ${use} are wrong: ${faults}.`,
    module: use,
  })
}

async function checked(source: Manifest | string, options: AssembleOptions): Promise<Manifest> {
  const text: string | undefined = typeof source === 'string' ? source : JSON.stringify(source)
  if (text === undefined) throw new HarnessError('E_MANIFEST_JSON', { message: 'The manifest is no JSON value.' })
  const { manifest, problems } = await options.catalog.read(text, options)
  if (manifest === undefined) throw problemsError(problems)
  return manifest
}
