import { type ErrorCode, nearestNames, type Problem } from '@harnesswright/core'
import type { SchemaFault } from '@harnesswright/core/manifest'
import { compileSchema, isMisspelling } from '@harnesswright/core/manifest'
import { isRecord, type JsonRecord, joinPointer, valueAt } from './pointer.js'
import { describeValue, makeProblem } from './problem.js'
import { branchesOf, childSchema, followRef, meantBranch, meantSchema, schemaAt } from './schema-walk.js'
import { schemaWords } from './schema-words.js'

/** A value, its schema and where it stands. `code` is for all its mistakes; absent, each kind has the code of the envelope. */
export interface Subject {
  readonly value: unknown
  readonly root: JsonRecord
  readonly pointer: string
  readonly code?: ErrorCode
}

/** What is wrong with a value, one problem per mistake. ajv is imported, and the schema compiled, at the first use. */
export async function checkSchema(subject: Subject): Promise<Problem[]> {
  const validate = await compileSchema(subject.root)
  let faults: readonly SchemaFault[]
  try {
    faults = validate(subject.value)
  } catch {
    return [incomparable(subject)]
  }
  const errors = meantErrors(faults, subject)
  const unknown = new Map(errors.map(({ instancePath }): [string, string[]] => [instancePath, []]))
  for (const error of errors) if (isUnknownName(error)) unknown.get(error.instancePath)?.push(nameOf(error))
  const wrong = new Set<string>()
  const isOwn = (error: SchemaFault): boolean => {
    const [at, name] = [error.instancePath, nameOf(error)]
    // A name that is missing because it is mistyped is one mistake; so is a value that fails several keywords.
    if (error.keyword === 'required') return !unknown.get(at)?.some((other) => isMisspelling(other, name))
    return isUnknownName(error) || (!wrong.has(at) && wrong.add(at).has(at))
  }
  return errors.filter(isOwn).map((error) => explain(error, subject))
}

/** ajv compares values by methods that a field of the same name stands in for, and fails where that is none. */
function incomparable({ value, pointer, code }: Subject): Problem {
  const part = { found: describeValue(value), expected: 'values without fields named valueOf or toString' }
  return makeProblem(code ?? 'E_MANIFEST_TYPE', pointer, part)
}

/**
 * The errors that a person made. ajv tells every branch of a union that a value fails: of these only the errors of the
 * branch that was meant are kept, or, if that is not clear, the one of the union.
 */
function meantErrors(errors: readonly SchemaFault[], subject: Subject): SchemaFault[] {
  // "if" repeats what "then" and "else" say, and what is wrong with the name of a field is told as an unknown name.
  const isEcho = ({ keyword, propertyName }: SchemaFault): boolean => {
    return keyword === 'if' || (keyword !== 'propertyNames' && propertyName !== undefined)
  }
  const kept = errors.filter((error) => !isEcho(error))
  const meant: SchemaFault[][] = []
  // From the end: ajv tells the errors of the branches right before that of their union, inner unions before outer ones.
  for (let end = kept.length - 1; end >= 0; ) {
    const error = kept[end] as SchemaFault // within bounds
    const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf'
    let start = end
    while (isUnion && start > 0 && kept[start - 1]?.instancePath.startsWith(error.instancePath)) start--
    meant.push(isUnion ? meantOfUnion(error, kept.slice(start, end), subject) : [error])
    end = start - 1
  }
  return meant.reverse().flat()
}

function meantOfUnion(union: SchemaFault, inside: readonly SchemaFault[], subject: Subject): SchemaFault[] {
  const { value, root } = subject
  const branches = branchesOf(followRef(schemaAt(union.instancePath, value, root), root))
  const index = meantBranch(branches, valueAt(value, union.instancePath), root)
  const ofBranch = inside.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${index}/`))
  return ofBranch.length === 0 ? [union] : meantErrors(ofBranch, subject)
}

function isUnknownName({ keyword }: SchemaFault): boolean {
  return keyword === 'additionalProperties' || keyword === 'propertyNames'
}

/** The name that is missing or unknown. */
function nameOf({ params }: SchemaFault): string {
  const { missingProperty, additionalProperty, propertyName } = params as Readonly<Record<string, string>>
  return missingProperty ?? additionalProperty ?? propertyName ?? ''
}

function explain(error: SchemaFault, { value: whole, root, pointer: base, code }: Subject): Problem {
  const [pointer, value, name] = [base + error.instancePath, valueAt(whole, error.instancePath), nameOf(error)]
  const schema = meantSchema(schemaAt(error.instancePath, whole, root), value, root)
  const properties = schema['properties'] ?? {}
  if (error.keyword === 'required') {
    const field = followRef(childSchema(schema, value, joinPointer('', name), root), root)
    const expected = `"${name}": ${schemaWords(field, root)}`
    const fix = Array.isArray(field['examples']) ? `Add "${name}": ${JSON.stringify(field['examples'][0])}` : undefined
    return makeProblem(code ?? 'E_MANIFEST_MISSING', pointer, { found: `no "${name}"`, expected, ...(fix && { fix }) })
  }
  if (isUnknownName(error)) {
    const free = Object.keys(properties).filter((field) => !isRecord(value) || !Object.hasOwn(value, field))
    const nearest = nearestNames(name, free)
    const known = Object.keys(properties).join(', ')
    const part = { found: describeValue(name), expected: known === '' ? 'no fields' : `one of ${known}` }
    const fix = nearest[0] === undefined ? 'Remove it.' : `Write "${nearest[0]}", or remove it.`
    return makeProblem(code ?? 'E_MANIFEST_UNKNOWN_FIELD', joinPointer(pointer, name), { ...part, nearest, fix })
  }
  const choices = [schema['enum'] ?? []].flat().filter((choice) => typeof choice === 'string')
  const nearest = typeof value === 'string' ? nearestNames(value, choices) : []
  const part = { found: describeValue(value), expected: schemaWords(schema, root), nearest }
  return makeProblem(code ?? (pointer === '/protocol' ? 'E_MANIFEST_PROTOCOL' : 'E_MANIFEST_TYPE'), pointer, part)
}
