import type { ErrorObject } from 'ajv/dist/2020.js'
import { type JsonRecord, valueAt } from './pointer.js'
import { branchesOf, followRef, meantBranch, schemaAt } from './schema-walk.js'

/**
 * The errors that a person made. ajv tells every branch of a union that a value fails: of these only the errors of the
 * branch that was meant are kept, or, if that is not clear, the one of the union.
 */
export function meantErrors(errors: readonly ErrorObject[], value: unknown, root: JsonRecord): ErrorObject[] {
  // "if" repeats what "then" and "else" say, and what is wrong with a property's name is told as an unknown name.
  const kept = errors.filter(
    (error) => error.keyword !== 'if' && (error.keyword === 'propertyNames' || error.propertyName === undefined),
  )
  const meant: ErrorObject[][] = []
  // From the end: ajv tells the errors of the branches right before that of their union, inner unions before outer ones.
  for (let end = kept.length - 1; end >= 0; ) {
    const error = kept[end] as ErrorObject // within bounds
    const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf'
    let start = end
    while (isUnion && start > 0 && kept[start - 1]?.instancePath.startsWith(error.instancePath)) start--
    meant.push(isUnion ? meantOfUnion(error, kept.slice(start, end), value, root) : [error])
    end = start - 1
  }
  return meant.reverse().flat()
}

function meantOfUnion(
  union: ErrorObject,
  inside: readonly ErrorObject[],
  value: unknown,
  root: JsonRecord,
): ErrorObject[] {
  const branches = branchesOf(followRef(schemaAt(union.instancePath, value, root), root))
  const index = meantBranch(branches, valueAt(value, union.instancePath), root)
  const ofBranch = inside.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${index}/`))
  return ofBranch.length === 0 ? [union] : meantErrors(ofBranch, value, root)
}
