import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RowResult } from './run-row.js'

/** What is one row of one setting. */
type RowKey = Pick<RowResult, 'suite' | 'harness' | 'model' | 'id'>

/** Results of rows in a file of JSONL, which is written at once and read again where a former run stopped. */
export interface Results {
  readonly all: readonly RowResult[]
  has(key: RowKey): boolean
  add(result: RowResult): void
}

/** Opens a file of results. A last line that was cut is left out, and its row is run again. */
export function openResults(file: string): Results {
  mkdirSync(dirname(file), { recursive: true })
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  const all = text.split('\n').flatMap((line) => parseLine(line) ?? [])
  const keys = new Set(all.map(textOf))
  return {
    all,
    has: (key) => keys.has(textOf(key)),
    add(result) {
      appendFileSync(file, `${JSON.stringify(result)}\n`)
      all.push(result)
      keys.add(textOf(result))
    },
  }
}

function parseLine(line: string): RowResult | undefined {
  try {
    return JSON.parse(line) as RowResult
  } catch {
    return undefined
  }
}

function textOf({ suite, harness, model, id }: RowKey): string {
  return JSON.stringify([suite, harness, model, id])
}
