import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '@harnesswright/core'
import { readTyped, type Typed, type TypedOptions } from './chat/read-typed.js'
import { EXIT } from './exit-codes.js'

/** Something text is written to. */
export interface TextSink {
  /** Writes at once, or in order soon after. */
  write(text: string): unknown
  /** Columns of the terminal, where it is one. */
  readonly columns?: number | undefined
}

/** Signals that end a run. */
export type StopSignal = 'SIGINT' | 'SIGTERM'

/**
 * What of the computer the command line touches, so that a program or a test can put its own in place. Models of endpoints
 * and `sim serve` open connections of their own, and the files of a run are real.
 */
export interface Io {
  readonly stdout: TextSink
  readonly stderr: TextSink
  /** Chunks of standard input. */
  readonly stdin: AsyncIterable<string | Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory: where the project and its configuration are. */
  readonly cwd: string
  /** Which streams are a terminal. */
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** The computer's clock in ms. */
  now(): number
  /** Lets time of that clock pass; rejects with the signal's reason when it is aborted. Between attempts at an endpoint. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Where `.harnesswright` is made, unless `HARNESSWRIGHT_HOME` names a directory. */
  readonly home: string
  /** Asks on the terminal; called only when standard input and standard error are one. Where it is closed, the answer is empty. */
  ask(question: string): Promise<string>
  /** Reads what a person types at a prompt of the terminal; called only when standard input and standard error are one. */
  prompt(text: string, options: TypedOptions): Promise<Typed>
  /** Calls a listener for each signal that should end the run; gives a function that ends this. */
  onSignal(listener: (signal: StopSignal) => void): () => void
  /** Asks a URL on this computer. Only `doctor` does. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<{ readonly ok: boolean }>
}

/** The streams, environment and signals of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process
  return {
    stdout,
    stderr,
    stdin,
    env: process.env,
    cwd: process.cwd(),
    isTTY: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
    now: () => systemClock.now(),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    home: homedir(),
    ask: askOnTerminal,
    prompt: (text, options) => {
      return readTyped({ input: stdin, output: stderr, isDumb: process.env['TERM'] === 'dumb' }, text, options)
    },
    onSignal,
    fetch: (url, init) => fetch(url, init),
  }
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // The terminal gives the key for an interruption to whoever reads it.
  lines.on('SIGINT', () => {
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  })
  const closed = new Promise<undefined>((resolve) => {
    lines.once('close', () => resolve(undefined))
  })
  try {
    const answer = await Promise.race([lines.question(question), closed])
    if (answer === undefined) process.stderr.write('\n') // what comes next is a line of its own
    return answer ?? ''
  } finally {
    lines.close()
  }
}

/** A second signal ends the process at once, should what the first one ended not come to its end. */
function onSignal(listener: (signal: StopSignal) => void): () => void {
  let isStopping = false
  const receive = (signal: StopSignal): void => {
    if (isStopping) process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated)
    isStopping = true
    listener(signal)
  }
  process.on('SIGINT', receive)
  process.on('SIGTERM', receive)
  return () => {
    process.off('SIGINT', receive)
    process.off('SIGTERM', receive)
  }
}
