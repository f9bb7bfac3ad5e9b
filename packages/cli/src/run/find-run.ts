import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nearestNames } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { isRunId, type RunDirectory } from './run-store.js'

/**
 * The directory of the run that a person named: by its id, by its directory, or by a file in that.
 *
 * @throws HarnessError `E_CLI_RESUME` when there is none.
 */
export function findRun(named: string, cwd: string, home: string): RunDirectory {
  const runs = join(home, 'runs')
  const byId = isRunId(named) ? join(runs, named) : undefined
  if (byId !== undefined && existsSync(byId)) return found(byId, runs)
  const path = resolve(cwd, named)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw noRun(named, runs)
  return found(stats.isDirectory() ? path : dirname(path), runs)
}

function found(path: string, runs: string): RunDirectory {
  return { id: basename(path), path, isOurs: dirname(path) === runs }
}

function noRun(named: string, runs: string): Error {
  const ids = existsSync(runs) ? readdirSync(runs).filter(isRunId).sort().reverse() : []
  const nearest = isRunId(named) ? nearestNames(named, ids, 3) : ids.slice(0, 3)
  const which = isRunId(named) ? 'nearest' : 'the newest'
  return cliError('E_CLI_RESUME', {
    message: `There is no run ${JSON.stringify(named)}.`,
    where: 'harnesswright resume',
    expected: `the id of a run in ${runs}, its directory, or a file in that${nearest.length === 0 ? '' : `; ${which}: ${nearest.join(', ')}`}`,
    fix: nearest[0] === undefined ? 'Name a run that is there.' : `Write "harnesswright resume ${nearest[0]}".`,
  })
}
