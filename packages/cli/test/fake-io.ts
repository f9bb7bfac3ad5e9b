import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@harnesswright/core'
import type { Typed } from '../src/chat/read-typed.js'
import type { Io, StopSignal } from '../src/io.js'
import { main } from '../src/main.js'

/** What a command line left behind. */
export interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** How the computer around a command line is. */
export interface Surroundings {
  readonly env?: Io['env']
  readonly cwd?: string
  /** Text on standard input. Default: a terminal on which nobody types. */
  readonly stdin?: string
  /** Standard error is a terminal of so many columns. */
  readonly columns?: number
  /** The answer to every question on the terminal. Default: nobody can be asked. */
  readonly reply?: string
  /** What is typed at the prompts of a chat, one after another; then Ctrl-D. */
  readonly typed?: readonly Typed[]
  readonly fetch?: Io['fetch']
  /** The computer's clock. Default: the true one. */
  readonly clock?: Pick<Io, 'now' | 'sleep'>
  /** Called when something is written to standard output. */
  readonly onOutput?: (text: string, send: (signal: StopSignal) => void) => void
  /** Called when something is written to standard error. */
  readonly onError?: (text: string, send: (signal: StopSignal) => void) => void
}

/** A folder for one test, with a home in it. */
export class Sandbox {
  readonly root = mkdtempSync(join(tmpdir(), 'harnesswright-cli-test-'))

  get home(): string {
    return join(this.root, 'home')
  }

  /** Runs a command line in this process, with nothing of the computer around it but this folder. */
  async run(argv: readonly string[], around: Surroundings = {}): Promise<Said> {
    const written = { stdout: '', stderr: '' }
    const listeners = new Set<(signal: StopSignal) => void>()
    const send = (signal: StopSignal): void => {
      for (const listener of listeners) listener(signal)
    }
    const { now, sleep } = around.clock ?? systemClock
    const typed = [...(around.typed ?? [])]
    const io: Io = {
      stdout: {
        write: (text) => {
          written.stdout += text
          around.onOutput?.(text, send)
        },
      },
      stderr: {
        columns: around.columns,
        write: (text) => {
          written.stderr += text
          around.onError?.(text, send)
        },
      },
      stdin: textStream(around.stdin ?? ''),
      // Getters stay getters, so that a test can see what is read.
      env: Object.defineProperties(
        { HARNESSWRIGHT_HOME: this.home },
        Object.getOwnPropertyDescriptors(around.env ?? {}),
      ),
      cwd: around.cwd ?? this.root,
      home: this.root,
      isTTY: { stdin: around.stdin === undefined, stdout: false, stderr: around.columns !== undefined },
      now,
      sleep,
      ask: async () => around.reply ?? '',
      prompt: async () => typed.shift() ?? { ended: 'end' },
      onSignal(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      fetch: around.fetch ?? (() => Promise.reject(new Error('no network in tests'))),
    }
    return { code: await main(argv, io), ...written }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

async function* textStream(text: string): AsyncGenerator<string> {
  yield text
}
