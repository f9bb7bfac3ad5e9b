import type { Authority, Manifest, Origin } from '../protocol/index.js'
import type { Catalog } from './catalog.js'
import { checkPackages } from './check-packages.js'
import { checkSchema } from './check-schema.js'
import { checkUse } from './check-use.js'
import { ENVELOPE } from './envelope.js'
import { parseText } from './parse.js'
import { isRecord } from './pointer.js'
import type { Problem } from './problem.js'
import { sortProblems, surveyJson } from './survey.js'
import { listUses } from './uses.js'

/** What a manifest is checked against. */
export interface ValidateOptions {
  readonly catalog: Catalog
  /** Where the manifest comes from. Default `person`. */
  readonly origin?: Origin
  /** Authorities that modules of a manifest of origin `model`, `bank` or `remote` may have. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
}

/** A manifest that was read and validated, or what is wrong with it. */
export interface CheckedManifest {
  /** Absent when there are problems. */
  readonly manifest?: Manifest
  readonly problems: readonly Problem[]
}

const ENVELOPE_CODES = {
  missing: 'E_MANIFEST_MISSING',
  unknown: 'E_MANIFEST_UNKNOWN_FIELD',
  wrong: 'E_MANIFEST_TYPE',
} as const

/**
 * Every problem of a manifest at once, in document order: one mistake gives exactly one problem. An empty list means that
 * the manifest is valid. No package is imported.
 *
 * @param value - Any JSON value. It is not changed.
 */
export async function validateManifest(value: unknown, options: ValidateOptions): Promise<readonly Problem[]> {
  return checkAll(value, options, [])
}

/** Parses and validates the text of a manifest: the problems of both, in document order. */
export async function readManifest(text: string, options: ValidateOptions): Promise<CheckedManifest> {
  const { manifest, problems: ofText } = parseText(text)
  const problems = manifest === undefined ? ofText : await checkAll(manifest, options, ofText)
  return problems.length === 0 ? { manifest: manifest as Manifest, problems } : { problems }
}

async function checkAll(
  value: unknown,
  options: ValidateOptions,
  ofText: readonly Problem[],
): Promise<readonly Problem[]> {
  const { catalog, origin = 'person', granted = ['none', 'workspace'] } = options
  const survey = surveyJson(value)
  if (survey.tooDeep !== undefined) return [survey.tooDeep]
  const envelope = await checkSchema(value, ENVELOPE, { pointer: '', codes: ENVELOPE_CODES })
  const problems = envelope.map(
    (one): Problem => (one.pointer === '/protocol' ? { ...one, code: 'E_MANIFEST_PROTOCOL' } : one),
  )
  const manifest = isRecord(value) ? value : {}
  const uses = listUses(manifest)
  // What a person or the host wrote may name any package on the host's list.
  const scope = { catalog, granted: origin === 'person' || origin === 'host' ? undefined : granted }
  for (const use of uses) problems.push(...(await checkUse(use, scope)))
  const ofPackages = checkPackages(manifest['packages'], uses, catalog)
  return sortProblems([...ofText, ...survey.refused], [...problems, ...ofPackages], survey)
}
