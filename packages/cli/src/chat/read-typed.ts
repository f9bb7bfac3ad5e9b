import { createInterface } from 'node:readline'

/** What a person typed, or how they ended it. */
export type Typed =
  | { readonly text: string }
  /** `interrupt`: Ctrl-C on an empty line; `end`: Ctrl-D, or the terminal is gone. */
  | { readonly ended: 'interrupt' | 'end' }

/** A terminal that is typed on. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** It knows no escape sequences. Default false. */
  readonly isDumb?: boolean
}

/** How a prompt is put. */
export interface TypedOptions {
  /** What was typed before, the oldest first: the arrow keys bring it back. Default: nothing. */
  readonly history?: readonly string[]
  /** Ends the prompt as Ctrl-C does. */
  readonly signal?: AbortSignal
}

/** Tells the terminal to mark what is pasted, and to stop. */
const MARK_PASTES = '\u001b[?2004h'
const MARK_NO_PASTES = '\u001b[?2004l'

/**
 * Reads one text from a terminal: a line, or all the lines of a paste, which ends with the next Enter where it does not end in
 * one. Ctrl-C takes back what is typed. The terminal is as it was when it returns.
 */
export function readTyped(
  { input, output, isDumb = false }: Terminal,
  prompt: string,
  options: TypedOptions = {},
): Promise<Typed> {
  const { history = [], signal } = options
  const mark = (text: string): unknown => isDumb || output.write(text)
  const lines = createInterface({ input, output, prompt, terminal: true, history: history.toReversed() })
  const typed: string[] = []
  let isPasting = false
  return new Promise((resolve) => {
    const finish = (said: Typed): void => {
      input.off('keypress', onKey)
      signal?.removeEventListener('abort', interrupt)
      mark(MARK_NO_PASTES)
      lines.off('close', onClose)
      lines.close()
      resolve(said)
    }
    const finishLine = (): void => {
      if (!isPasting && typed.length > 0 && lines.line === '') finish({ text: typed.join('\n') })
    }
    const onKey = (_text: unknown, key: { readonly name?: string } = {}): void => {
      if (key.name === 'paste-start') isPasting = true
      if (key.name !== 'paste-end') return
      isPasting = false
      finishLine()
    }
    const onClose = (): void => finish({ ended: 'end' })
    const interrupt = (): void => finish({ ended: 'interrupt' })
    const takeBack = (): void => {
      if (lines.line === '' && typed.length === 0) {
        interrupt()
        return
      }
      typed.length = 0
      output.write('\n')
      // Ctrl-E and Ctrl-U: the cursor to the end, and away with the line.
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      lines.prompt()
    }
    input.on('keypress', onKey)
    lines.on('line', (line) => {
      typed.push(line)
      finishLine()
    })
    lines.on('SIGINT', takeBack)
    lines.on('close', onClose)
    signal?.addEventListener('abort', interrupt, { once: true })
    mark(MARK_PASTES)
    lines.prompt()
  })
}
