import { nearestNames } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'

/** A place in a configuration file. */
export interface Place {
  readonly file: string
  /** RFC 6901. */
  readonly pointer: string
}

/** The place of a field. */
export function at({ file, pointer }: Place, name: string): Place {
  return { file, pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

/** @throws HarnessError `E_CLI_CONFIG` when it is no object. */
export function asObject(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw wrong(value, 'an object', place)
}

/** @throws HarnessError `E_CLI_CONFIG` when it is no text, or an empty one. */
export function asText(value: unknown, place: Place): string {
  if (typeof value === 'string' && value !== '') return value
  throw wrong(value, 'a text', place)
}

/** @throws HarnessError `E_CLI_CONFIG` at a field that is not known, with the nearest that is. */
export function knownFields(value: Readonly<Record<string, unknown>>, known: readonly string[], place: Place): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const [nearest] = nearestNames(unknown, known)
  throw cliError('E_CLI_CONFIG', {
    message: `The configuration has an unknown field ${JSON.stringify(unknown)}.`,
    where: `${place.file}#${place.pointer}`,
    expected: `fields named ${known.join(', ')}`,
    fix: `Write "${nearest}", or remove it.`,
  })
}

/** The error of a value that is not what is expected at a place. */
export function wrong(value: unknown, expected: string, { file, pointer }: Place, fix?: string): Error {
  const found = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value).slice(0, 80)
  return cliError('E_CLI_CONFIG', {
    message: `The configuration has ${found} where ${expected} was expected.`,
    where: `${file}#${pointer}`,
    expected,
    fix: fix ?? `Put ${expected} there.`,
  })
}
