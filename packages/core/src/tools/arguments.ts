import { type JsonSchema, messageOf } from '@harnesswright/protocol'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { compileSchema, type Validator } from '../json/validator.js'

/** Arguments that fit, or what is wrong with them, for the model. */
export type Arguments = { readonly ok: true; readonly value: object } | { readonly ok: false; readonly message: string }

const MAX_FAULTS = 5

/** Checks arguments against the tool's schema. Numbers, booleans and JSON that came as strings are taken for what they are. */
export function checkArguments(parameters: JsonSchema, text: string): Arguments | Promise<Arguments> {
  const validate = compileSchema(parameters)
  return validate instanceof Promise
    ? validate.then((compiled) => check(compiled, text)).catch(cannotCheck)
    : check(validate, text)
}

function check(validate: Validator, text: string): Arguments {
  try {
    const value = JSON.parse(text) as object
    let faults = validate(value)
    if (faults.length > 0 && unquote(value, faults)) faults = validate(value)
    if (faults.length === 0) return { ok: true, value }
    const shown = faults.slice(0, MAX_FAULTS).map((fault) => describeFault(fault, value))
    return { ok: false, message: shown.join('; ') }
  } catch (error) {
    return cannotCheck(error)
  }
}

/** The schema is no schema, or the value is nested too deeply to be walked. */
function cannotCheck(error: unknown): Arguments {
  return { ok: false, message: `they cannot be checked against the schema of the tool: ${messageOf(error)}` }
}

/** Replaces strings by the values that they write, where the schema wants those; says whether it did. */
function unquote(value: object, faults: readonly ErrorObject[]): boolean {
  let changed = false
  for (const fault of faults) {
    const at = locate(value, fault.instancePath)
    if (at === undefined || typeof at.holder[at.key] !== 'string') continue
    const meant = meaning(at.holder[at.key] as string, [fault.params['type']].flat())
    if (meant === undefined) continue
    at.holder[at.key] = meant
    changed = true
  }
  return changed
}

function meaning(text: string, types: readonly unknown[]): unknown {
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(\.\d+)?$/.test(text.trim()))
    return Number(text)
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (!types.includes('array') && !types.includes('object')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function locate(root: object, pointer: string): { holder: Record<string, unknown>; key: string } | undefined {
  const keys = keysOf(pointer)
  const last = keys.pop()
  if (last === undefined) return undefined
  let holder: unknown = root
  for (const key of keys) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined
    holder = (holder as Record<string, unknown>)[key]
  }
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) return undefined
  return { holder: holder as Record<string, unknown>, key: last }
}

function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function describeFault(fault: ErrorObject, value: object): string {
  const path = fault.instancePath === '' ? 'the arguments' : keysOf(fault.instancePath).join('.')
  if (fault.keyword === 'required') return `${path} must have "${fault.params['missingProperty']}"`
  if (fault.keyword === 'additionalProperties') return `${path} must not have "${fault.params['additionalProperty']}"`
  const at = locate(value, fault.instancePath)
  const found = at === undefined ? '' : `, found ${JSON.stringify(at.holder[at.key])?.slice(0, 80)}`
  const among = fault.keyword === 'enum' ? `: ${JSON.stringify(fault.params['allowedValues'])}` : ''
  return `${path} ${fault.message ?? 'is wrong'}${among}${found}`
}
