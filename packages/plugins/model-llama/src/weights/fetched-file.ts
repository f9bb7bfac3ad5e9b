import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HarnessError } from '@harnesswright/core'
import type { Weights } from './table.js'

/** Where weights are in a folder, and how much of them. */
export interface Fetched {
  /** Path of the file, whether it is there or not. */
  readonly file: string
  readonly isThere: boolean
  /** Bytes of a download that broke off, from which the next one goes on. */
  readonly partBytes: number
}

/** Path of what a download has so far. */
export function partFile(file: string): string {
  return `${file}.part`
}

/** Looks for weights in a folder. Files get their name only when their hash was right. */
export function lookForWeights({ fileName, bytes }: Weights, folder: string): Fetched {
  const file = resolve(join(folder, fileName))
  return { file, isThere: sizeOf(file) === bytes, partBytes: sizeOf(partFile(file)) ?? 0 }
}

/**
 * The file of weights in a folder.
 *
 * @throws HarnessError `E_LLAMA_NOT_FETCHED` when they are not there.
 */
export function fetchedFile(weights: Weights, folder: string): string {
  const { file, isThere } = lookForWeights(weights, folder)
  if (isThere) return file
  throw new HarnessError('E_LLAMA_NOT_FETCHED', {
    message: `The weights of ${weights.id} are not in ${folder}.`,
    hint: `Fetch them: ${megabytes(weights.bytes)}, ${weights.licence} (${weights.licenceUrl}). In code: await fetchWeights('${weights.id}', { folder, download: true })`,
    details: { id: weights.id, bytes: weights.bytes, licence: weights.licence, file },
  })
}

/** Bytes as a size that people read. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}

function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file)
    return found.isFile() ? found.size : undefined
  } catch {
    return undefined // whatever keeps it from being looked at, it is not there to be used
  }
}
