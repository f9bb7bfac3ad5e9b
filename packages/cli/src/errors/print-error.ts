import { HarnessError, isHarnessError, type Problem, type RunResult } from '@harnesswright/core'
import { EXIT } from '../exit-codes.js'
import { cleanText } from '../text/clean.js'
import { areaOf, exitCodeOfError } from './exit-code-of.js'
import { type ErrorReport, renderFields, renderStack, reportInternalError } from './internal-error.js'
import { renderProblems } from './problems.js'

/** What is to be said of whatever was thrown. */
export function reportError(thrown: unknown): ErrorReport {
  if (!isHarnessError(thrown)) return reportInternalError(thrown)
  const { code, message, hint, docs, details } = thrown
  const area = areaOf(code)
  const expected = textOf(details['expected'], area.expected)
  return { code, message: withOneStop(message), where: placeOf(thrown, area.where), expected, fix: hint, docs }
}

/** A sentence that ends in the words of somebody else, an endpoint's say, may have their full stop and its own. */
function withOneStop(message: string): string {
  return message.replace(/([^.])\.\.(?=\s|$)/g, '$1.')
}

type ErrorPlace = Pick<HarnessError, 'slot' | 'module' | 'step' | 'details'>

function placeOf({ slot, module, step, details }: ErrorPlace, area: string): string {
  const parts = [module, slot && `slot ${slot}`, step === undefined ? undefined : `step ${step}`]
  const found = parts.filter((part) => part !== undefined).join(', ')
  return textOf(details['where'], found === '' ? area : found)
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

/**
 * An error as lines of text that end in a newline: `error[CODE] what happened`, then where, expected, fix and docs. The
 * problems of a manifest stand in their place, one by one.
 */
export function renderError(thrown: unknown, options: { readonly verbose?: boolean } = {}): string {
  const report = reportError(thrown)
  const problems = problemsOf(thrown)
  const [headline = '', ...more] = cleanText(report.message).split('\n')
  const lines = [`error[${report.code}] ${headline}`]
  if (problems.length > 0) lines.push(...renderProblems(problems))
  else lines.push(...more.map((line) => `  ${line}`), ...renderFields(report))
  lines.push(`docs: ${report.docs}`)
  if (options.verbose === true || exitCodeOfError(thrown) === EXIT.internal) lines.push(...renderStack(thrown))
  return `${lines.join('\n')}\n`
}

/** The failure that ended a run, in the form of every error, with what its model says of how to mend it. */
export function renderFailure(failure: NonNullable<RunResult['error']>, fix?: string): string {
  const { code, message, slot, module, step } = failure
  return renderError(
    new HarnessError(code, {
      message,
      ...(slot === undefined ? {} : { slot }),
      ...(module === undefined ? {} : { module }),
      ...(step === undefined ? {} : { step }),
      ...(fix === undefined ? {} : { hint: fix }),
    }),
  )
}

/** The problems that an error about a manifest carries. */
export function problemsOf(thrown: unknown): readonly Problem[] {
  const problems = isHarnessError(thrown) ? thrown.details['problems'] : undefined
  return Array.isArray(problems) ? (problems as readonly Problem[]) : [] // core puts them there
}
