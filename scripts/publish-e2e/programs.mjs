// Programs that the test runs: beside each other, so that two cores have something to do.
import { spawn } from 'node:child_process'

const MOST_MS = 600_000

/**
 * Runs a program to its end and gives what it printed on both of its streams.
 *
 * @param options - `cwd`; `env`: all of its variables, default those of this process; `input`: text of its standard input.
 * @throws Error with its output when it does not end with 0, or not within ten minutes.
 */
export function both(cmd, args, { cwd, env = process.env, input = '' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(cmd, args, { cwd, env, timeout: MOST_MS })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text
      })
    child.on('error', reject)
    child.on('close', (status, signal) => {
      if (status === 0) resolve(said)
      else reject(new Error(`${cmd} ${args.join(' ')} (${signal ?? status})\n${said.stdout}\n${said.stderr}`))
    })
    child.stdin.on('error', () => {}).end(input)
  })
}

/** Runs a program and gives what it printed on standard output. */
export async function sh(cmd, args, options) {
  return (await both(cmd, args, options)).stdout
}

/** What a program that must fail says; throws when it does its work. */
export async function failure(work) {
  const done = await work().then(
    () => undefined,
    (error) => error.message,
  )
  if (done === undefined) throw new Error('it did not fail')
  return done
}
