import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '@harnesswright/core/node'
import { openBank } from '@harnesswright/plugin-bank'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, type Surroundings } from './fake-io.js'
import { writeFiles } from './fixture-project.js'
import { type ChatServer, serveChat } from './support/chat-server.js'

const FRAIL = '@acme/harnesswright-frail'
const REACT = '@harnesswright/seed-react'

let box: Sandbox
const servers: ChatServer[] = []
beforeEach(() => {
  box = new Sandbox()
  writeFrail(box.root)
})
afterEach(async () => {
  box.remove()
  for (const server of servers.splice(0)) await server.close()
})

/** A package whose modules throw in the third step of an order, where no smoke run comes. */
function writeFrail(directory: string): void {
  const bodies = {
    memory: ['view', 'ctx.view'],
    planning: ['direct', 'ctx.directive'],
    capability: ['select', 'ctx.capabilities'],
  }
  const modules = Object.entries(bodies).map(
    ([slot, [stage, given]]) => `export const ${slot} = define({ slot: '${slot}', summary: 'Frail.', ${stage}(ctx) {
      if (ctx.step === 3 && ctx.task.instruction.includes('order.txt')) throw new Error('an order is too much for the ${slot}')
      return ${given}
    } })`,
  )
  const describedAs = (slot: string): object => ({
    slot,
    summary: 'Frail.',
    options: { type: 'object', properties: {}, additionalProperties: false },
    prompts: {},
    requires: [],
    provides: [],
  })
  const root = `node_modules/${FRAIL}`
  writeFiles(directory, {
    'package.json': JSON.stringify({ name: 'project', dependencies: { [FRAIL]: '1.0.0' } }),
    [`${root}/package.json`]: JSON.stringify({
      name: FRAIL,
      version: '1.0.0',
      type: 'module',
      exports: { '.': { import: './index.js' } },
    }),
    [`${root}/index.js`]: [
      "const define = (spec) => Object.freeze(Object.defineProperty(spec, Symbol.for('harnesswright.module/1'), { value: true }))",
      ...modules,
    ].join('\n'),
    [`${root}/harnesswright.json`]: JSON.stringify({
      name: FRAIL,
      protocol: 1,
      authority: 'none',
      modules: Object.fromEntries(Object.keys(bodies).map((slot) => [slot, describedAs(slot)])),
    }),
  })
}

const USAGE = { prompt_tokens: 1_000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 0 } }

/** A model that composes a harness with these modules of the package, and answers a request for a correction with this. */
async function composes(slots: readonly string[], correction: string): Promise<Surroundings> {
  const frail = Object.fromEntries(slots.map((slot) => [slot, { use: `${FRAIL}#${slot}` }]))
  const manifest = {
    name: 'frail',
    memory: null,
    planning: null,
    capability: null,
    action: { use: `${REACT}#action` },
    ...frail,
  }
  const written = JSON.stringify({ analysis: 'An order.', predicted: { reward: 1, tokens: 9_000, steps: 5 }, manifest })
  const server = await serveChat([
    ({ body: { messages } }) => {
      const content = JSON.stringify(messages).includes('You mend the manifest') ? correction : written
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      return { body: { id: 'c', object: 'chat.completion', choices, usage: USAGE } }
    },
  ])
  servers.push(server)
  return { env: { OPENAI_BASE_URL: server.url } }
}

const ARGV = ['run', '--world', 'quotes', '--rng', '7', '--model', 'sim-mid', '--meta-model', 'compatible:composer']
const NO_IDEA = 'I would rather not.'
const TO_REACT = JSON.stringify({ patch: [{ op: 'replace', path: '/memory/use', value: `"${REACT}#memory"` }] })

/** A file of the only run, or where there are several of the last. */
const fileOf = (name: string): string => {
  const run = readdirSync(join(box.home, 'runs')).sort().at(-1) ?? ''
  return join(box.home, 'runs', run, name)
}
const readJson = (name: string): Readonly<Record<string, unknown>> => JSON.parse(readFileSync(fileOf(name), 'utf8'))

describe('a composed harness that throws while it runs the task', () => {
  test('is mended and runs it again, says what failed and what was changed, and all of it counts', async () => {
    const around = await composes(['memory'], TO_REACT)
    const { code, stdout, stderr } = await box.run([...ARGV, '--json'], around)
    const result = JSON.parse(stdout)

    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({
      status: 'answered',
      route: 'model',
      check: { passed: true },
      manifest: { memory: { use: `${REACT}#memory` } },
      composing: { modelCalls: 4 },
      repaired: [
        {
          error: {
            code: 'E_RUN_MODULE',
            module: `${FRAIL}#memory`,
            step: 3,
            message: expect.stringMatching(/too much/),
          },
          changed: [expect.stringMatching(/^repair 1 of frail by model compatible:composer: replace \/memory\/use/)],
        },
      ],
    })
    const alone = await box.run([
      'run',
      '--world',
      'quotes',
      '--rng',
      '7',
      '--model',
      'sim-mid',
      '--seed',
      'react',
      '--json',
    ])
    const { steps, modelCalls } = JSON.parse(alone.stdout) as { steps: number; modelCalls: number }
    expect(result).toMatchObject({ steps: steps + 2, modelCalls: modelCalls + 2 + 4 })

    expect(stderr).toMatch(
      /^the harness failed: E_RUN_MODULE in @acme\/harnesswright-frail#memory, step 3: .*an order is too much for the memory\nrepair 1 of frail by model compatible:composer: replace \/memory\/use .*\nrepaired: the task runs again with what is left of the limits: manifest [0-9a-f]{12}, harness [0-9a-f]{12}\nstep 1 /m,
    )
    expect(stderr.match(/^step 1 /gm)).toHaveLength(2)
    expect(stderr).toMatch(/^check: passed$/m)
  })

  test('keeps how it was composed, what ran last, and the runs that failed, in the directory of the run', async () => {
    await box.run(ARGV, await composes(['memory'], TO_REACT))

    expect(readJson('composition.json')).toMatchObject({
      version: 1,
      route: 'model',
      manifest: { memory: { use: `${FRAIL}#memory` } },
      attempts: [{ outcome: 'taken' }],
    })
    expect(readJson('manifest.json')).toMatchObject({ memory: { use: `${REACT}#memory` } })
    expect(readJson('result.json')).toMatchObject({
      attempts: [
        {
          manifest: { memory: { use: `${FRAIL}#memory` } },
          run: { status: 'failed', error: { code: 'E_RUN_MODULE' } },
          repairs: [{ round: 1, left: [] }],
          check: { passed: false },
        },
      ],
    })
    expect(readJson('run.json')).toMatchObject({ origin: 'model', earlier: [{ steps: 2 }] })
    const { runs } = await readJournal(fileOf('journal.jsonl'))
    expect(runs['']?.opening.manifest).toMatchObject({ memory: { use: `${REACT}#memory` } })
    expect(existsSync(fileOf('pid'))).toBe(false)
    const starts = readFileSync(fileOf('trace.jsonl'), 'utf8').match(/"type":"run-start"/g)
    expect(starts).toHaveLength(2)
  })

  test('is mended by rules where the model has no idea', async () => {
    const { code, stderr } = await box.run(ARGV, await composes(['memory'], NO_IDEA))

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^repair 1 of frail by rules: .*\/memory/m)
    expect(stderr).toMatch(/^repaired: /m)
  })

  test('runs three times at most, and then ends as a harness that failed', async () => {
    const { code, stderr } = await box.run(ARGV, await composes(['memory', 'planning', 'capability'], NO_IDEA))

    expect(code).toBe(6)
    expect(stderr.match(/^repaired: /gm)).toHaveLength(2)
    expect(stderr).toMatch(/^error\[E_RUN_MODULE\] /m)
  })

  test('stays within the limits of the task', async () => {
    const around = await composes(['memory'], NO_IDEA)
    const { code, stdout } = await box.run([...ARGV, '--limit', 'steps=4', '--json'], around)

    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'limit', reason: 'steps', steps: 4, repaired: [{}] })
  })

  test('is remembered by a bank with what it was mended to, each with its own reward', async () => {
    const around = await composes(['memory'], TO_REACT)
    const { stderr } = await box.run([...ARGV, '--bank', 'bank'], around)
    const bank = await openBank({ directory: join(box.root, 'bank') })
    const made = (await bank.harnesses())
      .filter(({ operator }) => operator !== 'seed')
      .toSorted((a, b) => (a.operator < b.operator ? -1 : 1))
    const [failed, mended] = await Promise.all(made.map(({ id }) => bank.harness(id)))
    const evaluations = await bank.evaluations({})
    await bank.close()

    expect(made.map(({ operator }) => operator)).toEqual(['generate', 'repair'])
    expect(mended).toMatchObject({
      createdBy: 'compatible:composer',
      model: 'compatible:composer',
      parentIds: [failed?.id],
      predicted: null,
    })
    expect(failed).toMatchObject({ model: 'compatible:composer', predicted: { steps: 5 } })
    const byHarness = new Map(evaluations.map((one) => [one.harnessId, one]))
    expect(byHarness.get(failed?.id ?? '')).toMatchObject({ reward: 0, failureKind: 'E_RUN_MODULE', repairs: 0 })
    expect(byHarness.get(mended?.id ?? '')).toMatchObject({ reward: 1, failureKind: null, repairs: 1 })
    expect(stderr.match(/^bank: harness /gm)).toHaveLength(2)
    const next = await box.run(['compose', '--world', 'quotes', '--rng', '8', '--bank', 'bank', '--json'])
    expect(JSON.parse(next.stdout)).toMatchObject({ route: 'nearest', harnessId: mended?.id })
  })
})

describe('a run that was repaired and interrupted', () => {
  test('goes on with the harness as it was mended, and what failed before still counts', async () => {
    const whole = await box.run([...ARGV, '--json'], await composes(['memory'], TO_REACT))
    const expected = JSON.parse(whole.stdout)
    let isRepaired = false
    const { code, stderr } = await box.run(ARGV, {
      ...(await composes(['memory'], TO_REACT)),
      onError: (text, send) => {
        isRepaired ||= text.startsWith('repaired: ')
        if (isRepaired && text.startsWith('step 2 ')) send('SIGINT')
      },
    })
    const [, run = ''] = /^to go on: harnesswright resume (\S+)$/m.exec(stderr) ?? []
    const resumed = await box.run(['resume', run, '--json'])

    expect(code).toBe(130)
    expect(resumed.code, resumed.stderr).toBe(0)
    const { answer, steps, modelCalls, usd, repaired, manifest } = expected
    expect(JSON.parse(resumed.stdout)).toMatchObject({ answer, steps, modelCalls, usd, repaired, manifest })
  })

  test('and killed before the mended harness had begun goes on as the run that failed, which counts once', async () => {
    await box.run(ARGV, await composes(['memory'], TO_REACT))
    const lines = readFileSync(fileOf('journal.jsonl'), 'utf8').split('\n')
    const begins = lines.flatMap((line, index) => (line.includes('"opening"') ? [index] : []))
    writeFileSync(fileOf('journal.jsonl'), `${lines.slice(0, begins[1]).join('\n')}\n`)
    const { code, stdout } = await box.run(['resume', fileOf(''), '--json'])

    expect(begins).toHaveLength(2)
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', steps: 2, modelCalls: 6 })
    expect(JSON.parse(stdout)).not.toHaveProperty('repaired')
  })

  test('is refused where what it says of the runs before is none', async () => {
    await box.run(ARGV, await composes(['memory'], TO_REACT))
    const { earlier, ...card } = readJson('run.json')
    writeFileSync(fileOf('run.json'), JSON.stringify({ ...card, earlier: [{ ...Object(earlier)[0], steps: -1 }] }))
    const { code, stderr } = await box.run(['resume', fileOf('')])

    expect(code).toBe(3)
    expect(stderr).toMatch(/^error\[E_CLI_RESUME\]/)
  })
})

describe('nothing is mended', () => {
  test('of a harness that a person named', async () => {
    const manifest = {
      protocol: 1,
      name: 'mine',
      packages: { [FRAIL]: '*', [REACT]: '*' },
      memory: { use: `${FRAIL}#memory` },
      planning: null,
      capability: null,
      action: { use: `${REACT}#action` },
    }
    writeFiles(box.root, { 'm.json': JSON.stringify(manifest) })
    const { code, stderr } = await box.run(['run', '--world', 'quotes', '--model', 'sim-mid', '--manifest', 'm.json'])

    expect(code).toBe(6)
    expect(stderr).not.toMatch(/repair/)
    expect(existsSync(fileOf('composition.json'))).toBe(false)
  })

  test('because an answer is wrong', async () => {
    const { code, stdout, stderr } = await box.run([
      'run',
      '--world',
      'long-log:large',
      '--model',
      'sim-small',
      '--json',
    ])

    expect(code).toBe(1)
    expect(stderr).not.toMatch(/repair/)
    expect(JSON.parse(stdout)).not.toHaveProperty('repaired')
    expect(readJson('composition.json')).toMatchObject({ route: 'rules' })
  })
})
