import { checkEndpoint } from '@harnesswright/core/testkit'
import type { Arguments } from '../args/parse-arguments.js'
import { readConfig } from '../config/read-config.js'
import { builtInHarness } from '../conformance/built-in.js'
import type { Check } from '../conformance/check.js'
import { checkHarness } from '../conformance/check-harness.js'
import { checkPackage } from '../conformance/check-package.js'
import { findTarget, type Target } from '../conformance/find-target.js'
import { nameOf, renderReport, tallyOf, toJsonReport } from '../conformance/report.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io, StopSignal } from '../io.js'
import { Screen } from '../output/screen.js'
import { listPackages, type ProjectPackages } from '../packages/project-packages.js'
import { cleanLine } from '../text/clean.js'
import { printListing } from './list-command.js'

/**
 * `conformance`: whether an endpoint does what a harness needs, whether a package keeps the rules of its modules and
 * survives the faults of endpoints, or whether the built-in harness does. The table is the answer of the command.
 */
export async function conformanceCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const screen = new Screen(io, args)
  const packages = listPackages(await readConfig(args, io), io.cwd)
  for (const warning of packages.warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  const target = findTarget({ args, io, packages })
  screen.progress(titleOf(target))
  const stop = new AbortController()
  let stopped: StopSignal | undefined
  const stopListening = io.onSignal((signal) => {
    stopped ??= signal
    stop.abort(new DOMException(`interrupted by ${signal}`, 'AbortError'))
  })
  const checks: Check[] = []
  try {
    for await (const check of checksOf(target, { io, packages, signal: stop.signal })) {
      checks.push(check)
      tell(check, checks, screen)
    }
  } catch (error) {
    if (stopped === undefined) throw error
  } finally {
    stopListening()
    screen.clear()
  }
  if (stopped !== undefined) return stopped === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
  printListing({ json: toJsonReport(target, checks), lines: renderReport(checks) }, args, io)
  return tallyOf(checks).failed > 0 ? EXIT.checkFailed : EXIT.ok
}

/** What a target is looked at with. */
interface Around {
  readonly io: Io
  readonly packages: ProjectPackages
  readonly signal: AbortSignal
}

function checksOf(
  target: Target,
  { io, packages: { catalog }, signal }: Around,
): AsyncGenerator<Check, void, undefined> {
  switch (target.kind) {
    case 'harness':
      return checkHarness('harness react on createOpenAiModel', builtInHarness(catalog), signal)
    case 'package':
      return checkPackage(target.found, { catalog, signal, now: () => io.now() })
    case 'endpoint':
      return checkAddress(target, io, signal)
  }
}

async function* checkAddress(
  { endpoint }: Target & { readonly kind: 'endpoint' },
  io: Io,
  signal: AbortSignal,
): AsyncGenerator<Check, void, undefined> {
  const clock = { now: io.now, sleep: io.sleep, during: <T>(work: Promise<T>): Promise<T> => work }
  for await (const report of checkEndpoint({ ...endpoint, clock, signal })) {
    const { id, sentence, state, finding, reason, ms } = report
    yield {
      group: `endpoint ${endpoint.baseUrl}, model ${endpoint.model}`,
      name: id,
      sentence,
      state,
      findings: finding === undefined ? [] : [finding],
      notes: reason === undefined ? [] : [reason],
      ms,
    }
  }
}

/** What is put to the test, before it is. */
function titleOf(target: Target): string {
  switch (target.kind) {
    case 'harness':
      return 'checking the built-in harness: the seed react on a model of plugin-model-openai, against a scripted endpoint'
    case 'package':
      return `checking the package ${cleanLine(target.found.name)}`
    case 'endpoint': {
      const { endpoint, keyVariable } = target
      const key = keyVariable === undefined ? 'without a key' : `with the key of ${keyVariable}`
      return `checking ${cleanLine(endpoint.baseUrl)}, model ${cleanLine(endpoint.model)}, ${key}: about 15 short requests`
    }
  }
}

function tell(check: Check, checks: readonly Check[], screen: Screen): void {
  const { failed } = tallyOf(checks)
  screen.status(`${checks.length} checked, ${failed} failed: ${cleanLine(check.group)}, ${cleanLine(nameOf(check))}`)
  if (check.state === 'failed') screen.progress(`failed: ${cleanLine(check.group)}, ${cleanLine(nameOf(check))}`)
}
