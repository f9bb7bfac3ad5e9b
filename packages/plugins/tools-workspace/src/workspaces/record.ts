import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Contents } from './plan-merge.js'

const FILE = 'workspace.json'

const Record = z.object({
  version: z.literal(1),
  id: z.string(),
  /** Hashes of the files as they were when the workspace was forked, by path. */
  base: z.array(z.tuple([z.string(), z.string()])),
})

/** Writes down, beside the files of a workspace, what it was forked from. */
export function writeRecord(directory: string, id: string, base: Contents): void {
  writeFileSync(join(directory, FILE), `${JSON.stringify({ version: 1, id, base: [...base] })}\n`)
}

/** What the workspace was forked from. */
export function readBase(directory: string): Contents {
  return new Map(Record.parse(JSON.parse(readFileSync(join(directory, FILE), 'utf8'))).base)
}
