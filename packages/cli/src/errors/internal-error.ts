import { cleanText } from '../text/clean.js'

/** An error as a person, or a program, gets it. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly where: string
  readonly expected: string
  readonly fix: string
  readonly docs: string
}

/** What is to be said of an error that nobody foresaw. */
export function reportInternalError(thrown: unknown): ErrorReport {
  return {
    code: 'E_CLI_INTERNAL',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    where: 'harnesswright',
    expected: 'no such error',
    fix: 'This is a bug of harnesswright: please report it with the lines below.',
    docs: 'docs/guide/errors-cli.md#e_cli_internal',
  }
}

/** The lines of a report that stand below its first one. */
export function renderFields({ where, expected, fix }: ErrorReport): string[] {
  return Object.entries({ where, expected, fix }).map(
    ([name, value]) => `${name}: ${cleanText(value).replaceAll('\n', '\n  ')}`,
  )
}

/** The stack of an error and of its causes. */
export function renderStack(thrown: unknown): string[] {
  const lines: string[] = []
  for (let error: unknown = thrown; error instanceof Error && lines.length < 200; error = error.cause) {
    if (error !== thrown) lines.push('caused by:')
    lines.push(...cleanText(error.stack ?? error.message).split('\n'))
  }
  return lines
}

/** A bug, for the case in which nothing else of this package can be loaded. */
export function renderInternalError(thrown: unknown): string {
  const report = reportInternalError(thrown)
  const headline = `error[${report.code}] ${cleanText(report.message).replaceAll('\n', ' ')}`
  return `${[headline, ...renderFields(report), `docs: ${report.docs}`, ...renderStack(thrown)].join('\n')}\n`
}
