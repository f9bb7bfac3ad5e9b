import type { Catalog, Manifest } from '@harnesswright/core'
import { canonicalJson } from './canonical.js'
import { actingModules, normalise } from './normalise.js'

/**
 * Identity of what a manifest means: `sha256:` and the hash of its normal form as canonical JSON (RFC 8785). Manifests
 * that differ in key order, in defaults written out, in one module or a list of one, in name or in ranges are the same.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE` when a module is not in the catalog.
 */
export async function manifestIdOf(manifest: Manifest, catalog: Catalog): Promise<string> {
  return sha256(canonicalJson(normalise(manifest, catalog)))
}

/**
 * Identity of what runs: of the manifest, the protocol, and the exact version and integrity of each package that a module
 * of it comes from. Evaluations, the bank, traces and reports are keyed by it. Packages of observers only, and ranges of
 * packages that no module comes from, have no part in it.
 *
 * @throws HarnessError `E_MANIFEST_UNKNOWN_MODULE` when a module is not in the catalog.
 */
export async function harnessIdOf(manifest: Manifest, catalog: Catalog): Promise<string> {
  const used = new Set(actingModules(manifest, catalog).map(({ module }) => module.package))
  const packages = Array.from(
    used,
    ({ description, version, integrity }) => [description.name, { version, integrity }] as const,
  )
  const identity = {
    manifest: await manifestIdOf(manifest, catalog),
    packages: Object.fromEntries(packages),
    protocol: manifest.protocol,
  }
  return sha256(canonicalJson(identity))
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
