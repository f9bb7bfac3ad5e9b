import type { Catalog, CheckedManifest, Manifest, Problem, ReadOptions } from '@harnesswright/core'
import { createCatalog } from './catalog.js'
import { checkPackages } from './check-packages.js'
import { checkSchema } from './check-schema.js'
import { checkUse } from './check-use.js'
import { ENVELOPE } from './envelope.js'
import { parseText } from './parse.js'
import { isRecord } from './pointer.js'
import { sortProblems, surveyJson } from './survey.js'
import { listUses } from './uses.js'

/** What a manifest is checked against. */
export interface ValidateOptions extends ReadOptions {
  readonly catalog: Catalog
}

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

async function checkAll(value: unknown, options: ValidateOptions, ofText: readonly Problem[]): Promise<Problem[]> {
  const { catalog, origin = 'person', granted = ['none', 'workspace'] } = options
  const survey = surveyJson(value)
  if (survey.tooDeep !== undefined) return [survey.tooDeep]
  const manifest = isRecord(value) ? value : {}
  const uses = listUses(manifest)
  // What a person or the host wrote may name any package on the host's list.
  const isTrusted = origin === 'person' || origin === 'host'
  const packages = catalog.packages.filter(({ description }) => isTrusted || granted.includes(description.authority))
  const allowed = createCatalog(packages)
  const problems = await checkSchema({ value, root: ENVELOPE, pointer: '' })
  for (const use of uses) problems.push(...(await checkUse(use, catalog, allowed)))
  problems.push(...checkPackages(manifest['packages'], uses, catalog))
  return sortProblems([...ofText, ...survey.refused], problems, survey)
}
