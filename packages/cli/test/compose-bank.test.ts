import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EvaluationEntry, type HarnessEntry, openBank, taskRecord } from '@harnesswright/plugin-bank'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { type ChatServer, serveChat } from './support/chat-server.js'
import { serveText, WRITTEN } from './support/composer.js'

let box: Sandbox
const servers: ChatServer[] = []
beforeEach(() => {
  box = new Sandbox()
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

interface Composed {
  readonly route: string
  readonly harnessId: string
  readonly manifest: { readonly name: string }
  readonly explanation: readonly string[]
  readonly record: {
    readonly features: object
    readonly references: readonly {
      readonly name: string
      readonly measured: object | null
      readonly isExample: boolean
    }[]
  }
}

/** What `compose` gives for a small order of this random seed. */
async function composed(
  rng: number,
  more: readonly string[] = ['--bank', 'bank'],
): Promise<Composed & { stderr: string }> {
  const { code, stdout, stderr } = await box.run([
    'compose',
    '--world',
    'quotes',
    '--rng',
    String(rng),
    '--json',
    ...more,
  ])
  expect(code, stderr).toBe(0)
  return { ...(JSON.parse(stdout) as Composed), stderr }
}

/** Does a small order of this random seed with the bank. */
async function ran(rng: number, more: readonly string[] = []) {
  const argv = ['run', '--world', 'quotes', '--rng', String(rng), '--bank', 'bank', '--json', ...more]
  const { code, stdout, stderr } = await box.run(argv)
  return { code, stderr, result: JSON.parse(stdout) as Readonly<Record<string, unknown>> }
}

/** What the bank holds beside the seeds. */
async function remembered(): Promise<{ harnesses: readonly HarnessEntry[]; evaluations: readonly EvaluationEntry[] }> {
  const bank = await openBank({ directory: join(box.root, 'bank') })
  try {
    const made = (await bank.harnesses()).filter(({ operator }) => operator !== 'seed')
    const harnesses = await Promise.all(made.map(async ({ id }) => bank.harness(id)))
    return { harnesses, evaluations: await bank.evaluations({}) }
  } finally {
    await bank.close()
  }
}

/** An endpoint that says this again and again. */
async function says(content: string): Promise<ChatServer> {
  const server = await serveText(content)
  servers.push(server)
  return server
}

describe('a bank with nothing measured', () => {
  test('says so in a line, and rules compose what they compose without it', async () => {
    const alone = await composed(1, [])
    const { route, harnessId, stderr, record } = await composed(1)

    expect([route, harnessId]).toEqual(['rules', alone.harnessId])
    expect(stderr).toMatch(/^bank: 5 of 13 harnesses retrieved; none of them was measured with sim-mid$/m)
    expect(record.references).toHaveLength(5)
    expect(record.references.every(({ measured, isExample }) => measured === null && isExample)).toBe(true)
    expect(alone.record.references).toEqual([])
  })

  test('is not made where none is named', async () => {
    await composed(1, [])

    expect(existsSync(join(box.home, 'bank'))).toBe(false)
  })
})

describe('run with a bank', () => {
  test('remembers the harness and what the run came to', async () => {
    const { code, stderr, result } = await ran(1)
    const { harnesses, evaluations } = await remembered()
    const [run = ''] = readdirSync(join(box.home, 'runs'))

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^bank: harness [0-9a-f]{12} react is remembered, reward 1\.000 on "Work out the quote/m)
    expect(harnesses).toMatchObject([
      { id: result['harnessId'], name: 'react (rules)', operator: 'generate', createdBy: 'rules', referenceIds: [] },
    ])
    expect(evaluations).toMatchObject([
      {
        id: `run-${run}`,
        harnessId: result['harnessId'],
        taskId: 'quotes:small#1',
        backbone: 'sim-mid',
        reward: 1,
        rewardKind: 'hard',
        masked: false,
        usd: result['usd'],
        steps: result['steps'],
        seed: 1,
      },
    ])
  })

  test('takes what proved itself on such a task as it is, of origin bank, and says why', async () => {
    const first = await ran(1)
    const { route, harnessId, explanation, record } = await composed(2, ['--bank', 'bank', '--explain'])
    const second = await ran(2)
    const run = readdirSync(join(box.home, 'runs')).sort().at(-1) ?? ''
    const card = JSON.parse(readFileSync(join(box.home, 'runs', run, 'run.json'), 'utf8')) as object

    expect([route, harnessId]).toEqual(['nearest', first.result['harnessId']])
    expect(explanation[0]).toMatch(
      /1 of them is proven on such tasks with sim-mid: "Work out the quote.*\(distance 0\.\d+\)$/,
    )
    expect(explanation).toContainEqual(
      expect.stringMatching(
        /^retrieved: react .*, measured: 100 % right, .* USD, .*over 1 run: measured on such tasks; number 1 by words/,
      ),
    )
    expect(explanation).toContainEqual(
      expect.stringMatching(/^applies nearest: react: measured on such tasks; number 1 by words/),
    )
    expect(record.references[0]).toMatchObject({ name: 'react', measured: { runs: 1, reward: 1 }, isExample: false })
    expect(second.result).toMatchObject({ route: 'nearest', check: { passed: true } })
    expect(card).toMatchObject({ route: 'nearest', origin: 'bank' })
    expect((await remembered()).harnesses).toHaveLength(1)
    expect((await remembered()).evaluations).toHaveLength(2)
  })

  test('never takes what was evaluated on the very same task', async () => {
    await ran(1)

    expect((await composed(1)).route).toBe('rules')
  })

  test('takes nothing from another kind of task', async () => {
    await ran(1)
    const { stdout, stderr } = await box.run(['compose', '--world', 'long-log', '--bank', 'bank', '--json'])
    const { route, record } = JSON.parse(stdout) as Composed

    expect(route).toBe('rules')
    expect(record.references.find(({ measured }) => measured !== null)).toMatchObject({
      why: expect.stringMatching(/^measured on other kinds of tasks; /),
      isExample: true,
    })
    expect(stderr).toMatch(
      /^bank: .*the nearest kind of task is another one: "Work out the quote.*\(distance 0\.\d+\)$/m,
    )
  })

  test('takes nothing that only failed', async () => {
    await ran(1, ['--limit', 'steps=1'])
    const { evaluations } = await remembered()

    expect(evaluations).toMatchObject([{ reward: 0, masked: false }])
    expect((await composed(2)).route).toBe('rules')
  })

  test('scores nothing where the task has no checker, and says so', async () => {
    const { url } = await says('hello')
    const env = { OPENAI_BASE_URL: url }
    const { code, stderr } = await box.run(['run', 'Say hello.', '--model', 'compatible:m', '--bank', 'bank'], { env })
    const { harnesses, evaluations } = await remembered()

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^bank: harness .* is remembered; the task has no checker, so nothing is scored$/m)
    expect([harnesses.length, evaluations.length]).toEqual([1, 0])
  })

  test('masks a run that the endpoint failed', async () => {
    const server = await serveChat([() => ({ status: 401, body: { error: { message: 'no such key' } } })])
    servers.push(server)
    const argv = ['run', '--world', 'quotes', '--model', 'compatible:m', '--bank', 'bank']
    const { code, stderr } = await box.run(argv, { env: { OPENAI_BASE_URL: server.url } })

    expect(code, stderr).toBe(4)
    expect(stderr).toMatch(/^bank: .* is remembered, masked \(E_MODEL_AUTH\) on /m)
    expect((await remembered()).evaluations).toMatchObject([{ reward: null, masked: true }])
  })

  test('keeps answer and exit code where the bank cannot be written, and says so', async () => {
    const { code, stdout, stderr } = await box.run(['run', '--world', 'quotes', '--bank', 'bank'], {
      onError: (text) => {
        if (!text.startsWith('step 1 ')) return
        rmSync(join(box.root, 'bank'), { recursive: true })
        writeFileSync(join(box.root, 'bank'), 'no directory any more')
      },
    })

    expect(code, stderr).toBe(0)
    expect(stdout).not.toBe('')
    expect(stderr).toMatch(/^warning: the bank does not remember this run: \S/m)
  })

  test('that was interrupted is not scored', async () => {
    const { code, stderr } = await box.run(['run', '--world', 'quotes', '--bank', 'bank'], {
      onError: (text, send) => text.startsWith('step 2 ') && send('SIGINT'),
    })

    expect(code).toBe(130)
    expect(stderr).toMatch(/^bank: .* is remembered; the run is not over, so nothing is scored$/m)
  })
})

test('the champion of the nearest kind of task comes before what else was measured there', async () => {
  await ran(1)
  const { record } = await composed(2)
  const bank = await openBank({ directory: join(box.root, 'bank') })
  const [near] = await bank.nearestClusters({ text: '', features: taskRecord(record.features) })
  const { id: championId } = await bank.harness('resum')
  const cell = { clusterId: near?.cluster.id ?? '', backbone: 'sim-mid', priceTable: 'x', protocol: 1 }
  await bank.openCell(cell, { championId })
  await bank.close()
  const { route, harnessId, explanation } = await composed(2, ['--bank', 'bank', '--explain'])

  expect([route, harnessId]).toEqual(['nearest', championId])
  expect(explanation).toContainEqual(
    expect.stringMatching(/^applies nearest: resum: champion of the cluster "Work out/),
  )
  expect((await composed(2, ['--bank', 'bank', '--model', 'sim-small'])).route).toBe('rules')
})

describe('a model that composes', () => {
  const argv = ['run', '--world', 'quotes', '--rng', '2', '--model', 'sim-mid', '--bank', 'bank', '--json']

  test('sees the references with what they came to, and what it writes is remembered with them and its prediction', async () => {
    await ran(1)
    const server = await says(WRITTEN)
    const { code, stdout, stderr } = await box.run([...argv, '--meta-model', 'compatible:composer'], {
      env: { OPENAI_BASE_URL: server.url },
    })
    const { harnesses } = await remembered()
    const written = harnesses.find(({ name }) => name === 'written-by-a-model (compatible:composer)')

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ route: 'model' })
    expect(JSON.stringify(server.received[0]?.body['messages'])).toMatch(
      /react \(measured on such tasks; number 1 by words.*measured: 100 % right/,
    )
    expect(written).toMatchObject({
      operator: 'generate',
      model: 'compatible:composer',
      predicted: { reward: 0.9, tokens: 20_000, steps: 6 },
    })
    expect(written?.referenceIds).toHaveLength(5)
    expect(written?.referenceIds[0]).toBe(harnesses.find(({ name }) => name === 'react (rules)')?.id)
  })

  test('that writes nothing which can run leaves it to the nearest manifest of the bank', async () => {
    const first = await ran(1)
    const { url } = await says('I would rather not.')
    const { code, stdout, stderr } = await box.run([...argv, '--meta-model', 'compatible:composer'], {
      env: { OPENAI_BASE_URL: url },
    })

    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ route: 'nearest', harnessId: first.result['harnessId'] })
    expect(stderr).toMatch(/^warning: compatible:composer composed no harness that can run\./m)
  })
})

test.each([
  ['--seed', 'react'],
  ['--manifest', 'm.json'],
])('a bank is of no use beside %s, which names the harness', async (...named) => {
  const { code, stderr } = await box.run(['run', 'x', ...named, '--bank', 'bank'])

  expect(code).toBe(2)
  expect(stderr).toContain(`--bank was given with ${named[0]}`)
})
