import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from '@harnesswright/core'

/** Categories of which rows are handed out and that need tools. */
const CATEGORIES = ['simple_python', 'multiple', 'parallel', 'parallel_multiple', 'live_simple'] as const

const folder = join(process.env['HARNESSWRIGHT_DATA'] ?? '', 'bfcl')

/** Why the rows cannot be read, or undefined where they can. */
export const noRows: string | undefined = process.env['HARNESSWRIGHT_DATA']
  ? CATEGORIES.map((category) => `BFCL_v4_${category}.json`)
      .filter((name) => !existsSync(join(folder, name)))
      .map((name) => `${folder} has no ${name}`)[0]
  : 'HARNESSWRIGHT_DATA names no folder of public rows'

/** A question with the names of the tools that its answer needs. */
export interface Row {
  readonly id: string
  readonly question: string
  readonly needed: readonly string[]
}

interface RawRow {
  readonly id: string
  readonly question: readonly (readonly { readonly content: string }[])[]
  readonly function: readonly { readonly name: string; readonly description: string; readonly parameters: object }[]
}

/** All rows that need tools, and the tools of all of them as one catalog; of a name that comes twice the first is taken. */
export function readPool(): { readonly rows: readonly Row[]; readonly tools: readonly Tool[] } {
  const tools = new Map<string, Tool>()
  const rows = CATEGORIES.flatMap((category) => {
    const answers = new Map(
      readLines<{ id: string; ground_truth: readonly object[] }>(`possible_answer/BFCL_v4_${category}.json`).map(
        ({ id, ground_truth }) => [id, ground_truth],
      ),
    )
    return readLines<RawRow>(`BFCL_v4_${category}.json`).map((row): Row => {
      for (const one of row.function) if (!tools.has(one.name)) tools.set(one.name, toTool(one))
      const needed = (answers.get(row.id) ?? []).flatMap((call) => Object.keys(call))
      const question = row.question.flat().map(({ content }) => content)
      return { id: row.id, question: question.join('\n'), needed: [...new Set(needed)] }
    })
  })
  return { rows, tools: [...tools.values()] }
}

function toTool({ name, description, parameters }: RawRow['function'][number]): Tool {
  return { name, description, parameters: { ...parameters, type: 'object' }, execute: () => 'done' }
}

function readLines<Line>(path: string): readonly Line[] {
  return readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line)
}
