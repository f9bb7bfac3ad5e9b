import { join, resolve } from 'node:path'
import type { Io } from './io.js'

/** The directory of runs and of what is remembered: `HARNESSWRIGHT_HOME`, or `.harnesswright` of the user. */
export function homeOf({ env, cwd, home }: Pick<Io, 'env' | 'cwd' | 'home'>): string {
  const named = env['HARNESSWRIGHT_HOME']
  return named === undefined || named === '' ? join(home, '.harnesswright') : resolve(cwd, named)
}
