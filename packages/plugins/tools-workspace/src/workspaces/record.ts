import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contents } from './plan-merge.js'

const FILE = 'workspace.json'

/** Writes down, beside the files of a workspace, what it was forked from. */
export function writeRecord(directory: string, id: string, base: Contents): void {
  writeFileSync(join(directory, FILE), `${JSON.stringify({ version: 1, id, base: [...base] })}\n`)
}

/** What the workspace was forked from: hashes of its files as they were then, by path. */
export function readBase(directory: string): Contents {
  const record = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as { version?: unknown; base?: unknown } | null
  const { version, base } = record ?? {}
  if (version === 1 && Array.isArray(base) && base.every(isPair)) return new Map(base)
  throw new TypeError(`${FILE} is no record of a workspace of this version.`)
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}
