import type { Problem } from '@harnesswright/core'
import { utf8Length } from '@harnesswright/core/manifest'
import { describeValue, makeProblem } from './problem.js'
import { type ScanFault, type ScannedObject, scanObject } from './scan-json.js'
import { surveyJson } from './survey.js'

/** Largest text of a manifest, in bytes of UTF-8. */
export const MAX_BYTES: number = 256 * 1024

/** A manifest as it was read, or what is wrong with its text. */
export interface ParsedManifest<Value = unknown> {
  /** Absent when there are problems. From `parseManifest` it is a JSON object, yet to be validated. */
  readonly manifest?: Value
  readonly problems: readonly Problem[]
}

/**
 * Reads a manifest from text: JSON, or the one JSON object inside prose or a code fence.
 *
 * Size and depth are looked at before anything is built; the time is linear in the text. Keys that stand twice in one
 * object, and keys that could reach a prototype, are problems.
 */
export function parseManifest(text: string): ParsedManifest {
  const parsed = parseText(text)
  const problems = [...parsed.problems, ...surveyJson(parsed.manifest).refused]
  return problems.length === 0 ? parsed : { problems }
}

/** The object of a text: beside duplicate keys too, so that the problems of its content can be told with them. */
export function parseText(text: string): ParsedManifest {
  if (text.length > MAX_BYTES || utf8Length(text) > MAX_BYTES) {
    const [found, expected] = [`${text.length} characters`, `at most ${MAX_BYTES} bytes of UTF-8`]
    const fix = 'Give the manifest alone, and keep long texts in files.'
    return { problems: [makeProblem('E_MANIFEST_SIZE', '', { found, expected, fix })] }
  }
  const found = findObject(text)
  if ('code' in found) return { problems: [found] }
  const problems = Array.from(new Set(found.duplicates), (pointer) => {
    const twice = `${describeValue(pointer.slice(pointer.lastIndexOf('/') + 1))} twice in one object`
    return makeProblem('E_MANIFEST_DUPLICATE_KEY', pointer, { found: twice, expected: 'each key once' })
  })
  return { manifest: JSON.parse(text.slice(found.start, found.end)), problems }
}

/** Every complete JSON object of a text that stands in no other, as values: for texts around and between which there are words. */
export function listJsonObjects(text: string): readonly unknown[] {
  const found: unknown[] = []
  for (let from = text.indexOf('{'); from !== -1; ) {
    const scanned = scanObject(text, from)
    if (!('at' in scanned)) found.push(JSON.parse(text.slice(scanned.start, scanned.end)))
    from = text.indexOf('{', 'at' in scanned ? from + 1 : scanned.end)
  }
  return found
}

/** The one object of a text, or the problem. A brace that no key and colon follow is prose. */
function findObject(text: string): ScannedObject | Problem {
  const objects: ScannedObject[] = []
  let prose: ScanFault | undefined
  for (let from = text.indexOf('{'); from !== -1; ) {
    const scanned = scanObject(text, from)
    if ('at' in scanned && scanned.kind !== 'prose') return faultProblem(text, scanned)
    if ('at' in scanned) prose ??= scanned
    else objects.push(scanned)
    from = text.indexOf('{', 'at' in scanned ? from + 1 : scanned.end)
  }
  // Of several objects one may name a protocol; the others are then examples and notes of the author.
  const hasProtocol = ({ start, end }: ScannedObject): boolean =>
    Object.hasOwn(JSON.parse(text.slice(start, end)), 'protocol')
  const [manifest, ...others] = objects.length < 2 ? objects : objects.filter(hasProtocol)
  if (manifest !== undefined && others.length === 0) return manifest
  if (objects.length === 0 && prose !== undefined) return faultProblem(text, prose)
  const found = objects.length === 0 ? describeValue(text.trim()) : `${objects.length} JSON objects`
  return makeProblem('E_MANIFEST_JSON', '', { found, expected: 'one JSON object with "protocol"' })
}

function faultProblem(text: string, { at, pointer, expected, kind }: ScanFault): Problem {
  const before = text.slice(0, at)
  const where = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
  const found = at >= text.length ? 'the end of the text' : describeValue(text.slice(at, at + 12))
  const message = `At ${where}: expected ${expected}; found ${found}.`
  const code = kind === 'depth' ? 'E_MANIFEST_SIZE' : 'E_MANIFEST_JSON'
  return makeProblem(code, pointer, { message, found, expected, fix: `Correct the text at ${where}.` })
}
