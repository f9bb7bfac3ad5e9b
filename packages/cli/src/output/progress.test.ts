import type { EventBody, HarnessEvent } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { parseArguments } from '../args/parse-arguments.js'
import type { Io } from '../io.js'
import { Progress } from './progress.js'
import { Screen } from './screen.js'

interface Shown {
  readonly env?: Record<string, string>
  readonly argv?: readonly string[]
  readonly isTerminal?: boolean
  readonly columns?: number
}

const USAGE = { inputTokens: 1200, cachedTokens: 0, outputTokens: 34, reasoningTokens: 0, source: 'known' } as const

const BODIES: readonly EventBody[] = [
  { type: 'run-start', manifestId: 'sha256:a', harnessId: 'sha256:b', seed: 1 },
  { type: 'step-start' },
  { type: 'model-start', purpose: 'act', by: 'action.0', model: 'sim-mid' },
  { type: 'model-end', purpose: 'act', by: 'action.0', usage: USAGE, usd: 0.5, ms: 900 },
  { type: 'tool-start', callId: 'c', tool: 'read_\u001b[5mfile', arguments: '{"path":"a\\u202e.txt"}' },
  { type: 'step-end', action: 'call read_file', directive: '', tokens: 1234, usd: 0.5 },
  { type: 'warning', message: 'odd\u0007 thing' },
  { type: 'run-end', status: 'answered', answer: 'x' },
]

/** What a run of one step writes to standard error. */
function show({ env = {}, argv = [], isTerminal = false, columns = 100 }: Shown): string {
  let text = ''
  const sink = {
    columns,
    write(more: string) {
      text += more
    },
  }
  const io = { stderr: sink, env, isTTY: { stdin: false, stdout: false, stderr: isTerminal } }
  const screen = new Screen(io as unknown as Io, parseArguments(['run', ...argv])) // the rest of io is not looked at
  let nowMs = 0
  const now = () => {
    nowMs += 100
    return nowMs
  }
  const progress = new Progress({ screen, model: { simulated: true }, now })
  for (const [index, body] of BODIES.entries()) {
    const event: HarnessEvent = { path: '', step: index === 0 ? 0 : 1, at: index * 1000, ...body }
    progress.event(event)
  }
  return text
}

const ESCAPE = '\u001b'

describe('off a terminal', () => {
  test('each step is a plain line with what was done, tokens, cost and simulated time', () => {
    expect(show({})).toBe('step 1  read_file("a.txt")  1,234 tokens, $0.5000, 5.0 s simulated\nwarning: odd thing\n')
  })

  test('--verbose tells every event', () => {
    expect(show({ argv: ['--verbose'] }).match(/^ {2}\d+\.\d s step \d [a-z-]+ /gm)).toHaveLength(BODIES.length)
  })

  test('--quiet tells warnings alone', () => {
    expect(show({ argv: ['--quiet'] })).toBe('warning: odd thing\n')
  })
})

describe('on a terminal', () => {
  test('one line is updated with step, what is done, tokens, cost, time and what has passed, and is gone at the end', () => {
    const text = show({ isTerminal: true })

    expect(text).toContain(`${ESCAPE}[2Kstep 1 · read_file("a.txt") · 1,234 tokens · $0.5000 · 4.0 s simulated · 0.`)
    expect(
      text
        .replaceAll('\r\u001b[2K', '\n')
        .match(/^step 1 .*$/gm)
        ?.every((line) => line.length < 100),
    ).toBe(true)
    expect(text.endsWith(`\r${ESCAPE}[2K`)).toBe(true)
  })

  test('the line is cut to the width of the terminal', () => {
    const lines = show({ isTerminal: true, columns: 30 }).split(`\r${ESCAPE}[2K`)

    expect(Math.max(...lines.map((line) => line.split('\n')[0]?.length ?? 0))).toBeLessThanOrEqual(29)
  })

  test.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['--no-color', { argv: ['--no-color'] }],
    ['a terminal that can do nothing', { env: { TERM: 'dumb' } }],
  ])('with %s there is neither colour nor a moving line', (_what, around) => {
    const text = show({ isTerminal: true, ...around })

    expect(text).not.toContain(ESCAPE)
    expect(text).toBe(show({}))
  })
})
