import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why the rows cannot be read, or undefined where they can. */
export const noRows: string | undefined = whyNot()

function whyNot(): string | undefined {
  const folder = process.env['HARNESSWRIGHT_DATA']
  if (folder === undefined || folder === '') return 'HARNESSWRIGHT_DATA names no folder of public rows'
  const missing = ['gsm8k', 'bfcl'].find((name) => !existsSync(join(folder, name)))
  return missing === undefined ? undefined : `${folder} has no folder ${missing}`
}

/**
 * The rows of a JSONL file of `HARNESSWRIGHT_DATA`; empty lines are passed over.
 *
 * @throws Error that names the file and the line when a line is no JSON.
 */
export function readRows<Row>(path: string): readonly Row[] {
  const file = join(process.env['HARNESSWRIGHT_DATA'] ?? '', path)
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine<Row>(line, `${file}:${index + 1}`)]))
}

function parseLine<Row>(line: string, where: string): Row {
  try {
    return JSON.parse(line) as Row
  } catch (error) {
    throw new Error(`${where} is no JSON: ${(error as Error).message}`)
  }
}
