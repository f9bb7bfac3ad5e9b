import { stripVTControlCharacters } from 'node:util'
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
  /** Default: a run of one step. */
  readonly events?: readonly HarnessEvent[]
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

/** Events of a run one second apart, with the path and the step that each body names. Default: the root's first. */
function eventsOf(bodies: readonly (EventBody & { readonly path?: string; readonly step?: number })[]): HarnessEvent[] {
  return bodies.map((body, index) => ({ path: '', step: index === 0 ? 0 : 1, at: index * 1000, ...body }))
}

/** What a run writes to standard error. */
function show({ env = {}, argv = [], isTerminal = false, columns = 100, events = eventsOf(BODIES) }: Shown): string {
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
  for (const event of events) progress.event(event)
  return text
}

const ESCAPE = '\u001b'

/** The lines that stay on a terminal: what the line that changes leaves is taken away, and colours too. */
function staying(text: string): string[] {
  const last = text.split('\n').map((line) => line.split(`\r${ESCAPE}[2K`).at(-1) ?? '')
  return last.map((line) => stripVTControlCharacters(line)).filter((line) => line !== '')
}

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
  test('the lines that stay are those of no terminal', () => {
    expect(staying(show({ isTerminal: true }))).toEqual(show({}).trimEnd().split('\n'))
  })

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

  test('the line that changes is cut to the width of the terminal', () => {
    const drawn = show({ isTerminal: true, columns: 30 }).split(`\r${ESCAPE}[2K`)
    const changing = drawn.filter((text) => !text.includes('\n'))

    expect(changing.length).toBeGreaterThan(3)
    expect(Math.max(...changing.map(({ length }) => length))).toBeLessThanOrEqual(29)
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

describe('a tree of runs', () => {
  const call = (path: string, callId: string, tool: string) =>
    ({ path, type: 'tool-start', callId, tool, arguments: '{}' }) as const
  const ends = (path: string, action: string) =>
    ({ path, type: 'step-end', action, directive: '', tokens: 10, usd: 0 }) as const
  const TREE = eventsOf([
    { type: 'run-start', manifestId: 'sha256:a', harnessId: 'sha256:b', seed: 1 },
    { type: 'step-start' },
    { type: 'child-start', child: '1.left', instruction: 'Look\nleft.\u001b[31m' },
    { type: 'child-start', child: '1.right', instruction: 'Look right.' },
    { path: '1.left', type: 'step-start' },
    { path: '1.right', type: 'step-start' },
    call('1.left', 'a', 'read'),
    call('1.right', 'a', 'write'),
    ends('1.right', 'call write'),
    { path: '1.right', type: 'run-end', status: 'failed', reason: 'no such file', answer: null },
    { type: 'child-end', child: '1.right', status: 'failed', reason: 'no such file' },
    ends('1.left', 'call read'),
    { path: '1.left', type: 'child-start', child: '1.left/2.deep', instruction: 'Deeper.' },
    { path: '1.left/2.deep', type: 'limit', reason: 'steps' },
    { type: 'child-end', child: '1.left', status: 'answered' },
    ends('', 'spawn'),
    { type: 'run-end', status: 'answered', answer: 'x' },
  ])

  test('stands in by a level for each run above, and calls at the same time are told of the right run', () => {
    expect(
      show({ events: TREE })
        .replaceAll(/ {2}10 tokens.*/g, '')
        .trimEnd()
        .split('\n'),
    ).toEqual([
      '  1.left starts: Look left.',
      '  1.right starts: Look right.',
      '  1.right step 1  write()',
      '  1.right failed (no such file)',
      '  1.left step 1  read()',
      '    1.left/2.deep starts: Deeper.',
      '    limit reached: steps',
      '  1.left answered',
      'step 1  spawn',
    ])
  })

  test('keeps the line that changes until the last run has ended', () => {
    const beforeEnd = show({ events: TREE.slice(0, 10), isTerminal: true })

    expect(beforeEnd.split(`\r${ESCAPE}[2K`).at(-1)).toContain('1.right step 1 · ')
  })
})

describe('what is waited for', () => {
  test('a wait for an endpoint says which model, why and for how long', () => {
    const events = eventsOf([
      {
        type: 'retry',
        by: 'action.0',
        model: 'openai:m\u202e',
        attempt: 2,
        delayMs: 65_000,
        code: 'E_MODEL_RATE_LIMIT',
      },
    ])

    expect(show({ events })).toBe('waiting 1 min 5 s for openai:m: rate limit, attempt 2 of at most 5\n')
    expect(show({ events, isTerminal: true })).toContain('step 0 · waiting 1 min 5 s · ')
    expect(show({ events, argv: ['--quiet'] })).toBe('')
  })

  test('a question to a person is told', () => {
    const events = eventsOf([{ type: 'ask', id: '#1', question: 'Which\u0007 year?' }])

    expect(show({ events })).toBe('question #1: Which year?\n')
  })
})
