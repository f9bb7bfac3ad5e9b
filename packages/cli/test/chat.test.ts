import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Said, Sandbox, type Surroundings } from './fake-io.js'
import { FIXTURE, writeFiles, writeProject } from './fixture-project.js'
import { type Answer, type ChatServer, type Received, serveChat, streamOf } from './support/chat-server.js'
import { quickClock } from './support/quick-clock.js'

const KEY = 'sk-of-the-user-1234567890'

let box: Sandbox
const servers: ChatServer[] = []
beforeAll(async () => {
  // Loaded at the first request, which would count as a wait for the endpoint; the rest takes its time on a busy computer.
  await Promise.all([import('openai'), import('../src/commands/chat.js'), import('@harnesswright/seed-react')])
}, 120_000)
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

interface SentMessage {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly object[]
}

const messagesOf = ({ body }: Received): readonly SentMessage[] => body['messages'] as readonly SentMessage[]
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
const says = (text: string): Answer => ({ body: streamOf([text], usage) })

/** An endpoint that answers so, one after another; the last again and again. */
async function serve(...answers: Parameters<typeof serveChat>[0]): Promise<ChatServer> {
  const server = await serveChat(answers)
  servers.push(server)
  return server
}

/** A call of a tool, in the pieces of a stream. */
const calls = (name: string, argumentsText: string): Answer => {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: argumentsText } }
  const chunk = (delta: object, finish: string | null) => ({
    id: 'c',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  return { body: [chunk({ tool_calls: [call] }, null), chunk({}, 'tool_calls'), { id: 'c', choices: [], usage }] }
}

/** A chat of the seed react with an endpoint. */
const chatWith = ({ url }: ChatServer, around: Surroundings, ...more: readonly string[]) => {
  const harness = more.includes('--resume') || more.includes('--manifest') ? [] : ['--seed', 'react']
  return box.run(['chat', ...harness, ...(more.includes('--resume') ? [] : ['--model', 'openai:some']), ...more], {
    clock: quickClock,
    ...around,
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY, ...around.env },
  })
}

/** The directory of the only chat. */
function chatDirectory(): string {
  const [only, ...others] = readdirSync(join(box.home, 'runs'))
  if (only === undefined || others.length > 0) throw new Error('one chat was expected')
  return join(box.home, 'runs', only)
}

const chatId = (): string => chatDirectory().split(/[\\/]/).at(-1) ?? ''
const linesOf = ({ stdout }: Said) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('lines of standard input', () => {
  test('are turns: an answer each on standard output, and each request begins as the one before ended', async () => {
    const server = await serve(says('Rome.'), says('Tiber.'), says('Latin.'))

    const { code, stdout, stderr } = await chatWith(server, { stdin: 'Which city?\r\n\nWhich river?\nWhich language?' })

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Rome.\nTiber.\nLatin.\n' })
    const sent = server.received.map(messagesOf)
    const said = [
      { role: 'user', content: 'Which city?' },
      { role: 'assistant', content: 'Rome.' },
      { role: 'user', content: 'Which river?' },
      { role: 'assistant', content: 'Tiber.' },
      { role: 'user', content: 'Which language?' },
    ]
    expect(sent[2]?.filter(({ role }) => role !== 'system')).toMatchObject(said)
    expect(sent[1]?.slice(0, sent[0]?.length)).toEqual(sent[0])
    expect(sent[2]?.slice(0, sent[1]?.length)).toEqual(sent[1])
    expect(stderr.match(/^harness: react /gm)).toHaveLength(1)
  })

  test('with --json are an object each, which says the chat and the turn', async () => {
    const server = await serve(says('one'), says('two'))
    const said = await chatWith(server, { stdin: 'first\nsecond\n' }, '--json')

    expect(linesOf(said)).toMatchObject([
      { chat: chatId(), turn: 1, status: 'answered', answer: 'one', steps: 1, modelCalls: 1 },
      { chat: chatId(), turn: 2, status: 'answered', answer: 'two', usage: { inputTokens: 100, outputTokens: 10 } },
    ])
  })

  test('tell what a turn came to, and from the second on what all did', async () => {
    const server = await serve(says('one'), says('two'))
    const { stderr } = await chatWith(server, { stdin: 'first\nsecond\n' })

    expect(stderr.match(/^answered: 1 step, 1 model call, 110 tokens /gm)).toHaveLength(2)
    expect(stderr.match(/^in total: .*$/gm)).toEqual([
      expect.stringMatching(/^in total: 2 turns, 2 steps, 2 model calls, 220 tokens \(200 in, .*\), unknown cost, \d/),
    ])
    expect(stderr).toContain(`\nchat: ${chatDirectory()}\nto go on: harnesswright chat --resume ${chatId()}\n`)
  })

  test('may begin with a slash, and the first message may be the argument', async () => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: '/help\n' }, 'first of all')

    const [, second] = server.received.map(messagesOf)
    expect(second?.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'first of all',
      '/help',
    ])
  })

  test('that are none leave nothing behind', async () => {
    const server = await serve(says('ok'))
    const { code, stdout } = await chatWith(server, { stdin: '\n \n' })

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(readdirSync(join(box.home, 'runs'))).toEqual([])
  })
})

describe('what was done in a turn', () => {
  test('is known in the next one: calls with their results, in a workspace that stays', async () => {
    const server = await serve(calls('write_file', '{"path":"note.txt","content":"42"}'), says('Written.'), says('42'))
    const { code } = await chatWith(server, { stdin: 'Keep 42.\nWhat did you keep?\n' })

    expect(code).toBe(0)
    expect(readFileSync(join(chatDirectory(), 'workspace', 'note.txt'), 'utf8')).toBe('42')
    const last = messagesOf(server.received[2] as Received).filter(({ role }) => role !== 'system')
    expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(last[1]?.tool_calls).toHaveLength(1)
  })

  test('is left out from the oldest on where it is too much, so that a chat of any length fits', async () => {
    const server = await serve(says(`begin ${'long '.repeat(2_000)} end`))
    const { code } = await chatWith(server, { stdin: 'again\n'.repeat(12), clock: quickClock })

    expect(code).toBe(0)
    const sizes = server.received.map((one) => JSON.stringify(messagesOf(one)).length)
    expect(Math.max(...sizes)).toBeLessThan(40_000)
    expect(messagesOf(server.received.at(-1) as Received).find(({ role }) => role === 'user')?.content).toMatch(
      /^\[\d+ earlier turns of this conversation left out\]/,
    )
  })
})

describe('on the simulated model', () => {
  test('the task of a world is checked, a question about it is answered from what is known, and requests are cached', async () => {
    const { code, stdout, stderr } = await box.run(['chat', '--world', 'quotes', '--rng', '7', '--json'], {
      stdin: 'What is the sum of the quote?\n',
    })

    expect(code).toBe(0)
    const [task, question] = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { check?: object; steps: number; answer: string; usage: Record<string, number> },
      )
    expect(task).toMatchObject({ check: { passed: true }, route: 'rules' })
    expect(question).toMatchObject({ answer: task?.answer, steps: 1 })
    expect(question).not.toHaveProperty('check')
    expect(question).toMatchObject({ manifestId: (task as { manifestId?: string }).manifestId })
    const { cachedTokens = 0, inputTokens = 0 } = question?.usage ?? {}
    expect(cachedTokens / inputTokens).toBeGreaterThan(0.9)
    expect(stderr).toMatch(/^in total: 2 turns, .* simulated$/m)
  })

  test('what is no task of a world fails clearly, and the chat goes on', async () => {
    const said = await box.run(['chat', '--json'], { stdin: 'hello there\nhow are you?\n' })

    expect(linesOf(said)).toMatchObject([
      { turn: 1, status: 'failed', reason: 'E_SIM_NO_TASK' },
      { turn: 2, status: 'failed' },
    ])
    expect(said.stderr.match(/^error\[E_SIM_NO_TASK\] .*\nwhere: .*\nexpected: .*\nfix: .*--world/gm)).toHaveLength(2)
    expect(said.code).toBe(4)
  })
})

describe('a turn that is not answered', () => {
  test('stays in the conversation, and the next one is told so', async () => {
    const refused = { status: 400, body: { error: { message: 'not now' } } }
    const server = await serve(refused, says('Rome.'))

    const { code, stdout, stderr } = await chatWith(server, { stdin: 'Which city?\nTry again.\n' })

    expect(stdout).toBe('Rome.\n')
    expect(stderr).toMatch(/^error\[E_MODEL_BAD_REQUEST\] .*not now/m)
    expect(messagesOf(server.received.at(-1) as Received).filter(({ role }) => role !== 'system')).toMatchObject([
      { role: 'user', content: 'Which city?' },
      { role: 'assistant', content: '[No answer: failed, E_MODEL_BAD_REQUEST.]' },
      { role: 'user', content: 'Try again.' },
    ])
    expect(code).toBe(4)
  })

  test('waits for a person, and the next line is the answer', async () => {
    const said = await box.run(['chat', '--manifest', 'wonders.json'], { stdin: 'a task\n1984\nanother task\n1985\n' })

    expect(said).toMatchObject({ code: 0, stdout: '1984\n1985\n' })
    expect(said.stderr).toMatch(/^question #1: Which year\?$/m)
  })

  test('ends with 8 where nobody answers, and the question is part of the chat', async () => {
    const said = await box.run(['chat', '--manifest', 'wonders.json', '--json'], { stdin: 'a task\n' })

    expect(said.code).toBe(8)
    expect(linesOf(said)).toMatchObject([{ status: 'waiting', questions: [{ id: '#1' }] }])
    const [turn] = readFileSync(join(chatDirectory(), 'turns.jsonl'), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(turn ?? '')).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', content: /Which year/ }],
    })
  })
})

describe('on a terminal', () => {
  const typing = (...texts: readonly string[]) => ({ columns: 100, typed: texts.map((text) => ({ text })) })

  test('a few words after a slash are commands, and the end of a chat is none of failure', async () => {
    const server = await serve(says('ok'))
    const { code, stderr } = await chatWith(
      server,
      typing('/help', '/hlep', ' /help', '', '/usr/bin is what?', '/exit', 'not said'),
    )

    expect(code).toBe(0)
    expect(stderr).toMatch(/^ {2}\/new +begin a new chat$/m)
    expect(stderr).toMatch(/there is no command \/hlep; with a space before the slash it is a message\n/)
    expect(server.received.map((one) => messagesOf(one).at(-1)?.content)).toEqual(['/help', '/usr/bin is what?'])
  })

  test('/new begins another chat, which knows nothing of the one before', async () => {
    const server = await serve(says('ok'))
    const { stderr } = await chatWith(server, typing('first', '/new', 'second'))

    expect(messagesOf(server.received[1] as Received).filter(({ role }) => role !== 'system')).toMatchObject([
      { content: 'second' },
    ])
    expect(readdirSync(join(box.home, 'runs'))).toHaveLength(2)
    expect(stderr.match(/to go on: harnesswright chat --resume /g)).toHaveLength(2)
  })

  /** Ctrl-C in the step of a turn. */
  const interrupting = (step: string, times: number): Pick<Surroundings, 'onError'> => {
    let left = times
    return {
      onError: (text, send) => {
        if (text.startsWith(`step ${step} `) && left-- > 0) send('SIGINT')
      },
    }
  }

  test('Ctrl-C ends a turn, what it did is known in the next, and the chat goes on', async () => {
    const server = await serve(calls('write_file', '{"path":"a.txt","content":"1"}'), says('Gone on.'))
    const { code, stdout, stderr } = await chatWith(server, { ...typing('Write.', 'Go on.'), ...interrupting('1', 1) })

    expect({ code, stdout: stdout.trim().split('\n').at(-1) }).toEqual({ code: 0, stdout: 'Gone on.' })
    expect(stderr).toMatch(/aborted \(.*interrupted by SIGINT\)/)
    const last = messagesOf(server.received.at(-1) as Received).filter(({ role }) => role !== 'system')
    expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(last[3]?.content).toBe('[No answer: the turn was interrupted here.]')
  })

  test('a second Ctrl-C ends the chat, which can be gone on with', async () => {
    const server = await serve(calls('write_file', '{"path":"a.txt","content":"1"}'), says('ok'))
    const { code, stderr } = await chatWith(server, {
      columns: 100,
      typed: [{ text: 'Write.' }, { ended: 'interrupt' }, { text: 'not said' }],
      ...interrupting('1', 1),
    })

    expect(code).toBe(130)
    expect(stderr).toContain(`to go on: harnesswright chat --resume ${chatId()}`)
  })

  test('at the prompt the first Ctrl-C says how a chat is ended, and what is typed after it is said', async () => {
    const server = await serve(says('ok'))
    const interrupt = { ended: 'interrupt' } as const
    const typed = [interrupt, { text: 'first' }, interrupt, interrupt, { text: 'not said' }]
    const { code, stderr } = await chatWith(server, { columns: 100, typed })

    expect(code).toBe(130)
    expect(server.received).toHaveLength(1)
    expect(stderr.match(/Ctrl-C again, Ctrl-D or \/exit ends the chat/g)).toHaveLength(2)
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a chat that is fed from elsewhere with %i, and the turn is kept as far as it came',
  async (signal, expected) => {
    const server = await serve(calls('write_file', '{"path":"a.txt","content":"1"}'), says('ok'))
    const { code } = await chatWith(server, {
      stdin: 'Write.\nnot said\n',
      onError: (text, send) => {
        if (text.startsWith('step 1 ')) send(signal)
      },
    })

    expect(code).toBe(expected)
    const [turn, ...others] = readFileSync(join(chatDirectory(), 'turns.jsonl'), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(turn ?? '')).toMatchObject({ status: 'aborted', messages: { length: 4 } })
    expect(others).toEqual([])
  },
)

describe('--limit', () => {
  test('is over all turns: what one used, those after it do not have', async () => {
    const server = await serve(says('ok'))
    const { code, stderr } = await chatWith(server, { stdin: 'a\nb\nc\nd\n' }, '--limit', 'steps=2')

    expect(code).toBe(5)
    expect(server.received).toHaveLength(2)
    expect(stderr).toMatch(
      /^limit: steps of this chat is used up; --limit counts anew when it goes on\nchat: .*\nto go on: /m,
    )
  })

  test('counts what an endpoint does not, as it was set aside, and ends the turn that it does not let through', async () => {
    const server = await serve({ body: streamOf(['ok']) })
    const { code, stderr } = await chatWith(server, { stdin: 'a\n'.repeat(30) }, '--limit', 'tokens=100000')

    expect(code).toBe(5)
    expect(server.received.length).toBeGreaterThan(1)
    expect(server.received.length).toBeLessThan(30)
    expect(stderr).toMatch(/^limit: tokens of this chat is used up/m)
  })

  test('of money is there where a model has a price and no other is given, and is over all turns too', async () => {
    const price = { input: 100, output: 100, source: 'https://prices.example', date: '2026-01-31' }
    writeFiles(box.root, { 'harnesswright.config.json': JSON.stringify({ models: { 'openai:some': { price } } }) })
    const dear = { prompt_tokens: 2_000, completion_tokens: 0, total_tokens: 2_000 }
    const server = await serve({ body: streamOf(['ok'], dear) })

    const { code, stderr } = await chatWith(server, { stdin: 'a\nb\nc\nd\n' })

    expect(code).toBe(5)
    expect(stderr).toMatch(/^limit: usd=0\.50, as the model has a price and no other is given$/m)
    expect(stderr).toMatch(/^limit: usd of this chat is used up/m)
    expect(server.received.length).toBeLessThanOrEqual(2)
  })

  test('of a manifest is for each turn, and the chat goes on', async () => {
    writeFiles(box.root, {
      'short.json': JSON.stringify({
        ...JSON.parse(readFileSync(join(box.root, 'thinks.json'), 'utf8')),
        limits: { steps: 1 },
      }),
    })
    const said = await box.run(['chat', '--manifest', 'short.json', '--json', '--limit', 'steps=3'], {
      stdin: 'a\nb\n',
    })

    expect(said.code).toBe(5)
    expect(linesOf(said)).toMatchObject([
      { turn: 1, status: 'limit' },
      { turn: 2, status: 'limit' },
    ])
    expect(said.stderr).not.toContain('of this chat is used up')
  })
})

describe('a chat that goes on', () => {
  test('knows what was said, has its harness, workspace and model, and a --limit of its own', async () => {
    const server = await serve(
      calls('write_file', '{"path":"a.txt","content":"1"}'),
      says('Written.'),
      says('Still here.'),
    )
    await chatWith(server, { stdin: 'Write.\n' }, '--limit', 'steps=2')

    const { code, stdout, stderr } = await chatWith(
      server,
      { stdin: 'What is there?\n' },
      '--resume',
      chatId(),
      '--limit',
      'steps=1',
    )

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Still here.\n' })
    expect(stderr).toMatch(/^model: openai:some at .*, as when the run began$/m)
    expect(stderr).toMatch(/^chat \S+: 1 turn; the last: Write\. \(answered\)$/m)
    expect(stderr).toMatch(/^in total: 2 turns, 3 steps, 3 model calls, 330 tokens/m)
    const [first, , last] = server.received.map(messagesOf)
    expect(last?.slice(0, first?.length)).toEqual(first)
    expect(last?.filter(({ role }) => role !== 'system')).toHaveLength(5)
    expect(readdirSync(join(chatDirectory(), 'workspace'))).toEqual(['a.txt'])
  })

  test('has a turn whose process was killed, as far as it came', async () => {
    const server = await serve(
      says('one'),
      calls('write_file', '{"path":"a.txt","content":"1"}'),
      says('two'),
      says('three'),
    )
    await chatWith(server, { stdin: 'first\nsecond\n' })
    // As it is when the process ends in the second step of the second turn.
    const [turns, journal] = [
      join(chatDirectory(), 'turns.jsonl'),
      join(chatDirectory(), 'turns', '2', 'journal.jsonl'),
    ]
    writeFileSync(turns, `${readFileSync(turns, 'utf8').split('\n')[0]}\n{"instruction":"sec`)
    const entries = readFileSync(journal, 'utf8').split('\n')
    const answered = entries.findIndex((line) => line.includes('two'))
    writeFileSync(journal, `${entries.slice(0, answered).join('\n')}\n{"path":"","ms`)

    const { code, stdout, stderr } = await chatWith(server, { stdin: 'third\n' }, '--resume', chatId())

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'three\n' })
    expect(stderr).toMatch(/^warning: turn 2 was cut off, and is kept as far as it came$/m)
    const last = messagesOf(server.received.at(-1) as Received).filter(({ role }) => role !== 'system')
    expect(last.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(last[5]?.content).toBe('[No answer: the turn was interrupted here.]')
    expect(
      readFileSync(turns, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { instruction: 'first' },
      { instruction: 'second', status: 'aborted', steps: 1 },
      { instruction: 'third' },
    ])
  })

  test('goes on from every point at which a turn was cut off, and no model is asked for what was before', async () => {
    const server = await serve(
      says('one'),
      calls('write_file', '{"path":"a.txt","content":"1"}'),
      says('two'),
      says('three'),
    )
    await chatWith(server, { stdin: 'first\nsecond\n' })
    const [directory, whole] = [chatDirectory(), join(box.root, 'whole')]
    const [turns, journal] = [join(directory, 'turns.jsonl'), join(directory, 'turns', '2', 'journal.jsonl')]
    writeFileSync(turns, `${readFileSync(turns, 'utf8').split('\n')[0]}\n`)
    cpSync(directory, whole, { recursive: true })
    const entries = readFileSync(journal, 'utf8').split('\n').slice(0, -1)
    let shortest = Number.POSITIVE_INFINITY
    for (let kept = 0; kept <= entries.length; kept++) {
      rmSync(directory, { recursive: true })
      cpSync(whole, directory, { recursive: true })
      writeFileSync(
        journal,
        `${entries
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join('')}{"path`,
      )
      const asked = server.received.length

      const { code, stdout } = await chatWith(server, { stdin: 'third\n' }, '--resume', chatId())

      expect({ code, stdout, asked: server.received.length - asked }).toEqual({ code: 0, stdout: 'three\n', asked: 1 })
      const last = messagesOf(server.received.at(-1) as Received).filter(({ role }) => role !== 'system')
      expect(last.slice(0, 2)).toMatchObject([{ content: 'first' }, { content: 'one' }])
      expect(last.at(-1)).toMatchObject({ content: 'third' })
      expect(last.length).toBeGreaterThanOrEqual(kept === 0 ? 3 : 5)
      shortest = Math.min(shortest, last.length)
    }
    expect(entries.length).toBeGreaterThan(5)
    expect(shortest).toBe(3)
  }, 60_000)

  test('has the answer of a turn that was over when its process was killed', async () => {
    const server = await serve(says('one'), says('two'))
    await chatWith(server, { stdin: 'first\n' })
    writeFileSync(join(chatDirectory(), 'turns.jsonl'), '')
    await chatWith(server, { stdin: 'second\n' }, '--resume', chatId())

    expect(messagesOf(server.received[1] as Received).filter(({ role }) => role !== 'system')).toMatchObject([
      { content: 'first' },
      { role: 'assistant', content: 'one' },
      { content: 'second' },
    ])
    expect(server.received).toHaveLength(2)
  })

  test('leaves a turn out that cannot be read, and says so', async () => {
    const server = await serve(says('one'), says('two'), says('three'))
    await chatWith(server, { stdin: 'first\nsecond\n' })
    const turns = join(chatDirectory(), 'turns.jsonl')
    writeFileSync(turns, `${readFileSync(turns, 'utf8').split('\n')[0]}\n`)
    writeFileSync(join(chatDirectory(), 'turns', '2', 'journal.jsonl'), 'nothing\n')

    const { code, stderr } = await chatWith(server, { stdin: 'third\n' }, '--resume', chatId())
    const again = await chatWith(server, { stdin: 'fourth\n' }, '--resume', chatId())

    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning: turn 2 was cut off and is left out: Line 1 of the journal is no entry/m)
    expect(again.stderr).not.toContain('cut off')
    const last = messagesOf(server.received.at(-1) as Received).filter(({ role }) => role === 'user')
    expect(last.map(({ content }) => content)).toEqual(['first', 'third', 'fourth'])
  })

  test('with another model needs a word more', async () => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })
    const other = ['--resume', chatId(), '--model', 'openai:other']

    expect(await chatWith(server, { stdin: 'second\n' }, ...other)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('E_CLI_RESUME'),
    })
    expect((await chatWith(server, { stdin: 'second\n' }, ...other, '--allow-other-model')).code).toBe(0)
    expect(server.received.map(({ body }) => body['model'])).toEqual(['some', 'other'])
  })

  test.each([
    [['--seed', 'react'], 2, 'another'],
    [['--workspace', '.'], 2, '--workspace'],
    [['--rng', '2', '--world', 'quotes'], 2, '--world, --rng'],
  ])('is refused with %j, which would be another', async (more, code, told) => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })

    expect(await chatWith(server, { stdin: 'second\n' }, '--resume', chatId(), ...more)).toMatchObject({
      code,
      stderr: expect.stringContaining(told),
    })
  })

  test('is found by its id alone; of one that is not there the nearest are told', async () => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })
    const wrong = `${chatId().slice(0, -1)}${chatId().endsWith('0') ? '1' : '0'}`

    for (const id of [wrong, chatDirectory(), '..', 'nope']) {
      const { code, stderr } = await chatWith(server, {}, '--resume', id)
      expect(code).toBe(3)
      expect(stderr).toContain(`fix: Write "harnesswright chat --resume ${chatId()}".`)
    }
  })

  test('is none of "resume", which says what is', async () => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })

    for (const named of [
      chatId(),
      join(chatDirectory(), 'turns', '1'),
      join(chatDirectory(), 'turns', '1', 'journal.jsonl'),
    ]) {
      const { code, stderr } = await box.run(['resume', named])
      expect(code).toBe(3)
      expect(stderr).toContain(`fix: Write "harnesswright chat --resume ${chatId()}".`)
    }
  })

  test.each([
    ['chat.json', '{}'],
    ['chat.json', '{ "version": 1, "manifest": [], "harnessId": "x" }'],
    ['turns.jsonl', '{}\n'],
    ['turns.jsonl', 'nothing\n'],
    ['run.json', '[]'],
  ])('with a %s of %j is refused, and nothing is changed', async (name, text) => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })
    writeFileSync(join(chatDirectory(), name), text)

    const { code, stderr } = await chatWith(server, { stdin: 'second\n' }, '--resume', chatId())

    expect(code).toBe(3)
    expect(stderr).toContain('error[E_CLI_RESUME]')
    expect(existsSync(join(chatDirectory(), 'pid'))).toBe(false)
    expect(server.received).toHaveLength(1)
  })

  test('is refused while another process is at work on it', async () => {
    const server = await serve(says('ok'))
    await chatWith(server, { stdin: 'first\n' })
    writeFileSync(join(chatDirectory(), 'pid'), String(process.ppid))

    expect(await chatWith(server, { stdin: 'second\n' }, '--resume', chatId())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('still under way'),
    })
  })
})

describe('the harness', () => {
  test('that is named is looked at before anything is said', async () => {
    writeFiles(box.root, { 'bad.json': '{ "protocol": 1 }' })
    const { code, stderr } = await box.run(['chat', '--manifest', 'bad.json'], { columns: 100, typed: [{ text: 'x' }] })

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_MANIFEST_/m)
    expect(stderr).not.toContain('type a message')
    expect(readdirSync(join(box.home, 'runs'))).toEqual([])
  })

  test('that is locked otherwise than it is installed is refused', async () => {
    await box.run(['lock', 'answers.json'])
    expect((await box.run(['chat', '--manifest', 'answers.json'], { stdin: 'a\n' })).code).toBe(0)
    writeFileSync(join(box.root, 'node_modules', FIXTURE, 'more.js'), '')

    expect(await box.run(['chat', '--manifest', 'answers.json'], { stdin: 'a\n' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('E_CLI_LOCK'),
    })
  })

  test('that throws fails its turn, and the chat goes on', async () => {
    const said = await box.run(['chat', '--manifest', 'throws.json', '--json'], { stdin: 'a\nb\n' })

    expect(linesOf(said).map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(said.code).toBe(6)
  })
})

test('a key is never printed, stored or shown', async () => {
  const server = await serve(says(`the key is ${KEY}`))
  const { stdout, stderr } = await chatWith(
    server,
    { stdin: 'What is it?\nAnd again?\n' },
    '--trace',
    'all.jsonl',
    '--verbose',
  )

  expect(stdout).toBe('the key is [secret]\nthe key is [secret]\n')
  const files = readdirSync(box.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  for (const text of [stderr, ...kept, ...server.received.map(({ body }) => JSON.stringify(body))])
    expect(text).not.toContain(KEY)
})

test('--trace has the events of all turns', async () => {
  await box.run(['chat', '--manifest', 'answers.json', '--trace', 'all.jsonl'], { stdin: 'a\nb\n' })

  const types = readFileSync(join(box.root, 'all.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types.filter((type) => type === 'run-start' || type === 'run-end')).toEqual([
    'run-start',
    'run-end',
    'run-start',
    'run-end',
  ])
})
