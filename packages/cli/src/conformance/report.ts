import { describeFinding } from '@harnesswright/core/testkit'
import { cleanLine } from '../text/clean.js'
import { formatTable } from '../text/format.js'
import type { Check } from './check.js'
import type { Target } from './find-target.js'

const LONGEST = 600

/** How many checks came out in each way. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Counts checks. */
export function tallyOf(checks: readonly Check[]): Tally {
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** The one object of `--json`. */
export function toJsonReport(target: Target, checks: readonly Check[]): object {
  const tally = tallyOf(checks)
  return { status: tally.failed > 0 ? 'failed' : 'passed', target: describeTarget(target), ...tally, checks }
}

/** A target without its key. */
function describeTarget(target: Target): object {
  switch (target.kind) {
    case 'harness':
      return { kind: 'harness', name: 'react' }
    case 'package':
      return { kind: 'package', name: target.found.name }
    case 'endpoint':
      return { kind: 'endpoint', name: target.endpoint.baseUrl, model: target.endpoint.model }
  }
}

/** The checks as lines for people: a table for each group, and what they come to. */
export function renderReport(checks: readonly Check[]): readonly string[] {
  const groups = [...new Set(checks.map(({ group }) => group))]
  const { passed, failed, skipped } = tallyOf(checks)
  return [
    ...groups.flatMap((group) => [
      cleanLine(group),
      ...formatTable(rowsOf(checks.filter((check) => check.group === group))).map((line) => `  ${line}`),
      '',
    ]),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
}

/** A row for each check, and one more for each further thing to say of it. Modes that came out the same share a row. */
function rowsOf(checks: readonly Check[]): string[][] {
  const rows = new Map<string, { readonly check: Check; readonly modes: string[] }>()
  for (const check of checks) {
    const key = JSON.stringify([check.name, check.state, detailsOf(check)])
    const row = rows.get(key) ?? { check, modes: [] }
    if (check.mode !== undefined) row.modes.push(check.mode)
    rows.set(key, row)
  }
  return Array.from(rows.values(), ({ check, modes }) => {
    const said = detailsOf(check).map((detail) => cleanLine(detail, LONGEST))
    const name = modes.length === 0 ? check.name : `${check.name} (${modes.join(', ')})`
    return [[check.state, name, said[0] ?? ''], ...said.slice(1).map((detail) => ['', '', detail])]
  }).flat()
}

function detailsOf({ state, sentence, findings, notes }: Check): readonly string[] {
  if (state === 'failed') return [...findings.map(describeFinding), ...notes.map((note) => `not checked: ${note}`)]
  if (state === 'skipped') return notes
  return notes.length === 0 ? [sentence] : [sentence, ...notes.map((note) => `not checked: ${note}`)]
}

/** Name of a check, with its mode. */
export function nameOf({ name, mode }: Pick<Check, 'name' | 'mode'>): string {
  return mode === undefined ? name : `${name} (${mode})`
}
