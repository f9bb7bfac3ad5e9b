import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ToolContext } from '@harnesswright/core'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { type CheckResult, findWorld, type WorldTask, withLatency } from '@harnesswright/plugin-worlds'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anIdealModel } from '../../packages/plugins/model-sim/test/conversation.js'
import { SHEETS_VERSION, TOWERS } from '../unseen-world/src/constants.js'
import { type Outcome, runTask } from '../unseen-world/src/run-task.js'
import { SEEDS, seedCatalog, seedManifest } from '../unseen-world/src/seeds.js'
import { withdrawnSheets } from '../unseen-world/src/world.js'

const sizes = fc.constantFrom('small' as const, 'large' as const)
const RNGS = Array.from({ length: 20 }, (_, index) => index + 1)

describe('a task', () => {
  test('is the same for the same options, byte for byte, and another one for another rng', () => {
    fc.assert(
      fc.property(sizes, fc.integer(), (size, rng) => {
        const [one, again, other] = [rng, rng, rng + 1].map((seed) => {
          const { task, toolLatencyMs } = withdrawnSheets.generate({ size, rng: seed })
          return JSON.stringify([task, toolLatencyMs])
        })
        expect(again).toBe(one)
        expect(other).not.toBe(one)
      }),
      { numRuns: 20 },
    )
  })

  test('of version 1 is this one, on every computer', () => {
    const digest = (size: 'small' | 'large'): string =>
      createHash('sha256')
        .update(JSON.stringify(withdrawnSheets.generate({ size, rng: 1 }).task))
        .digest('hex')
        .slice(0, 16)

    expect([SHEETS_VERSION, digest('small'), digest('large')]).toEqual(['1', '797503e49d5d0573', '94934be72d06ad43'])
  })

  test('is small by default, of rng 1, with the four tools that no task of any world needs', () => {
    const { task, tools } = withdrawnSheets.generate()

    expect(task).toEqual(withdrawnSheets.generate({ size: 'small', rng: 1, distractors: 4 }).task)
    expect(task.id).toBe('withdrawn-sheets-small-1')
    expect(tools.map(({ name }) => name)).toEqual(
      findWorld('quotes')
        .generate()
        .tools.map(({ name }) => name),
    )
  })

  test.each([{ size: 'huge' as 'small' }, { rng: 0.5 }, { distractors: -1 }])('with %j is refused', (options) => {
    expect(() => withdrawnSheets.generate(options)).toThrow(expect.objectContaining({ code: 'E_WORLDS_OPTION' }))
  })

  test('says what it asks in its text, its files and its tools, and nowhere else', () => {
    for (const size of withdrawnSheets.sizes) {
      const { task, stepLimit } = withdrawnSheets.generate({ size, rng: 5 })
      const said = [task.instruction, ...(task.files ?? []).map(({ text = '' }) => text)].join('\n')

      expect(Object.keys(task).sort()).toEqual(['files', 'id', 'instruction'])
      expect(said).not.toMatch(/withdrawn-sheets|simulat|\bworld\b|\{\w+\}/)
      expect(stepLimit).toBe(withdrawnSheets.stepLimit)
      for (const { path, text } of task.files ?? []) {
        expect(path).toMatch(/^(?:register\/page-\d|sheets\/sheet-\d{3})\.(?:md|txt)$/)
        expect(task.instruction).toContain(path.replace(/[^/]*$/, ''))
        expect(text).not.toBe('')
      }
    }
  })

  test('asks for 4 to 6 or 9 to 13 towers, behind 1 to 2 or 1 to 3 withdrawn sheets each', () => {
    const counts = { small: [4, 6, 1, 2], large: [9, 13, 1, 3] } as const
    for (const size of withdrawnSheets.sizes) {
      const tasks = RNGS.map((rng) => withdrawnSheets.generate({ size, rng }))
      const asked = tasks.map((task) => askedOf(task).length)
      const depths = tasks.flatMap((task) => askedOf(task).map((name) => walk(task, name).withdrawn.length))

      expect([Math.min(...asked), Math.max(...asked), Math.min(...depths), Math.max(...depths)]).toEqual(counts[size])
      for (const { task } of tasks)
        expect(new Set(task.files?.map(({ path }) => path)).size).toBe(task.files?.length ?? 0)
    }
  })

  test('has sheets in force that answer for several towers, so that not every chain needs to be walked', () => {
    let [towers, inForce] = [0, 0]
    for (const rng of RNGS) {
      const task = withdrawnSheets.generate({ size: 'large', rng })
      const last = new Set(askedOf(task).map((name) => walk(task, name).inForce))
      towers += askedOf(task).length
      inForce += last.size
      expect(last.size).toBeLessThan(askedOf(task).length)
    }
    expect(inForce / towers).toBeGreaterThan(0.45)
    expect(inForce / towers).toBeLessThan(0.7)
  })

  test('brings more into view than quotes and less than a long log', () => {
    const charsOf = (world: string, rng: number): number =>
      charsIn(findWorld(world).generate({ size: 'large', rng }).task.files ?? [])
    for (const rng of RNGS.slice(0, 5)) {
      const task = withdrawnSheets.generate({ size: 'large', rng })
      const paths = new Set(askedOf(task).flatMap((name) => [...walk(task, name).withdrawn, walk(task, name).inForce]))
      const walked = charsIn((task.task.files ?? []).filter(({ path }) => paths.has(path)))

      expect(walked).toBeGreaterThan(charsOf('quotes', rng))
      expect(walked).toBeLessThan(charsOf('long-log', rng) / 2)
    }
  })

  test('has names of towers that are in no other word of it', () => {
    const { task } = withdrawnSheets.generate({ size: 'large', rng: 2 })
    const words = new Set(
      [task.instruction, ...(task.files ?? []).map(({ text = '' }) => text)].join('\n').match(/\w+/g),
    )
    for (const name of TOWERS)
      expect([...words, ...TOWERS].filter((word) => word !== name && word.includes(name))).toEqual([])
  })
})

describe('through the tools of a workspace', () => {
  test('every file comes back as it was written, and a search says no more than the register', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harnesswright-world-'))
    const { tools, id, workspaces, close } = openWorkspace(folder)
    try {
      const world = withdrawnSheets.generate({ size: 'large', rng: 3 })
      const files = world.task.files ?? []
      for (const { path, text = '' } of files) workspaces.jail(id).write(path, text)
      const use = async (name: string, args: object): Promise<string> =>
        String(await tools.find((tool) => tool.name === name)?.execute(args as never, aContext(id)))

      for (const { path, text } of files) expect(await use('read_file', { path })).toBe(text)
      for (const name of askedOf(world)) {
        const found = await use('search_files', { query: name, path: '', pattern: false })
        const told = found.split('\n').filter((line) => /The height of \w+ is (?:\d+ m|on .*\))/.test(line))

        expect(told).toEqual([expect.stringMatching(/^register\/page-\d\.md:\d+: /)])
        expect(found).toContain(walk(world, name).inForce) // that there is something, not what
      }
    } finally {
      close()
      rmSync(folder, { recursive: true })
    }
  })

  test('a search takes 2 to 5 s of simulated time, opening a file 0.8 to 2.5 s, and any other tool 60 ms', () => {
    for (const rng of RNGS) {
      const { toolLatencyMs } = withdrawnSheets.generate({ rng })
      const msOf = (name: string): number =>
        withLatency({ name, description: '', parameters: {}, execute: () => '' }, toolLatencyMs).latencyMs ?? 0

      expect(Math.floor(msOf('search_files') / 1_000)).toBeOneOf([2, 3, 4, 5])
      expect(msOf('read_file')).toBeGreaterThanOrEqual(800)
      expect(msOf('read_file')).toBeLessThanOrEqual(2_500)
      expect(msOf('write_file')).toBe(60)
    }
  })
})

describe('the checker', () => {
  test('is content with whoever follows every sheet to the one in force', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer(), async (size, rng) => {
        const task = withdrawnSheets.generate({ size, rng })
        for (const answer of [{ heights: solve(task) }, JSON.stringify({ heights: solve(task) })])
          expect(await check(task, answer)).toMatchObject({ reward: 1, passed: true })
      }),
      { numRuns: 30 },
    )
  })

  test('refuses answers in which one height is another, missing, of a withdrawn sheet, or that of a neighbour', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer(), fc.nat(), fc.integer({ min: 1, max: 50 }), async (size, rng, at, more) => {
        const task = withdrawnSheets.generate({ size, rng })
        const right = solve(task)
        const names = Object.keys(right)
        const [name = '', other = ''] = [names[at % names.length], names[(at + 1) % names.length]]
        const { [name]: metres = 0, ...rest } = right
        const [first = ''] = walk(task, name).withdrawn
        const outdated = Number(
          /(\d+) m,/.exec(
            textOf(task, first)
              .split('\n')
              .find((line) => line.includes(name)) ?? '',
          )?.[1],
        )
        const changes = [metres + more, metres - more, outdated, right[other], String(metres)]
        const wrong = changes.filter((value) => value !== metres).map((value) => ({ ...right, [name]: value }))

        expect(outdated).toBeGreaterThan(0)
        for (const heights of [rest, ...wrong]) {
          const { reward, passed, detail } = await check(task, { heights })
          expect(reward).toBeCloseTo(1 - 1 / names.length)
          expect(passed).toBe(false)
          expect(detail).toContain(name)
        }
      }),
      { numRuns: 30 },
    )
  })

  test.each([undefined, null, '', '{', 'none', [], { heights: 3 }, { heights: [] }])(
    'gives nothing for the answer %j',
    async (answer) => {
      expect(await check(withdrawnSheets.generate(), answer)).toMatchObject({ reward: 0, passed: false })
    },
  )
})

describe('on a simulated model without limits', { timeout: 120_000 }, () => {
  test.each(SEEDS)('%s solves it: whatever stands in a view, none of it misleads', async (seed) => {
    for (const size of withdrawnSheets.sizes)
      expect(await run({ seed, size, rng: 1 })).toMatchObject({ end: 'answered', passed: true })
  })

  test('heights that were altered in the files are answered as they stand there, in 10 of 10', async () => {
    for (const rng of RNGS.slice(0, 10)) {
      const alter = (_path: string, text: string): string => text.replace(/(The height of \w+ is) \d+ m/g, '$1 777 m')
      const { answer, passed } = await run({ seed: 'react', size: 'small', rng, alter })

      expect(new Set(Object.values(heightsIn(answer)))).toEqual(new Set([777]))
      expect(Object.keys(heightsIn(answer)).sort()).toEqual(askedOf(withdrawnSheets.generate({ rng })).toSorted())
      expect(passed).toBe(false)
    }
  })

  test('a withdrawn sheet that was altered leads to where it says, in 10 of 10', async () => {
    const alone = RNGS.flatMap((rng) =>
      loneTower(withdrawnSheets.generate({ rng })).map((tower) => ({ rng, ...tower })),
    )
    for (const { rng, name, first, elsewhere } of alone.slice(0, 10)) {
      const alter = (path: string, text: string): string => {
        if (path === first) return text.replace(/on survey sheet \d+ \(.*?\)/, `on survey sheet 7 (${elsewhere})`)
        return path === elsewhere ? `${text}\n${'A remark. '.repeat(40)}The height of ${name} is 555 m.\n` : text
      }
      const { answer, passed } = await run({ seed: 'flash-searcher', size: 'small', rng, alter })

      expect(heightsIn(answer)[name]).toBe(555)
      expect(passed).toBe(false)
    }
    expect(alone.length).toBeGreaterThanOrEqual(10)
  })
})

test('a run on sim-mid is the same when it is made again beside others', async () => {
  const model = createSimModel({ profile: 'sim-mid' })
  const runs = [1, 2, 3].map((rng) => () => run({ seed: 'flash-searcher', size: 'large', rng, model }))
  const alone = await run({
    seed: 'flash-searcher',
    size: 'large',
    rng: 2,
    model: createSimModel({ profile: 'sim-mid' }),
  })
  const [, beside] = await Promise.all(runs.map((start) => start()))

  expect(beside).toEqual(alone)
})

describe('the program', { timeout: 120_000 }, () => {
  const program = new URL('../unseen-world/run.ts', import.meta.url).pathname
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const start = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--import', tsx, '--conditions=@harnesswright/source', program, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    })

  test('prints a row for each seed and size', () => {
    const { stdout, status, stderr } = start('--rngs', '1', '--seeds', 'react,roma', '--sizes', 'small')
    const rows = stdout.trim().split('\n')

    expect(status, stderr).toBe(0)
    expect(rows[0]).toBe('| size | seed | solved | reward | tokens | time | calls | ends |')
    expect(rows.slice(2)).toEqual([
      expect.stringMatching(/^\| small \| react \| [01]\.00 \| [01]\.\d\d \| \d+k \| \d+ s \| \d+ \| answered 1 \|$/),
      expect.stringMatching(/^\| small \| roma \| /),
    ])
  })

  test('says what is wrong with its options', () => {
    const { stderr, status } = start('--rngs', 'many')

    expect(status).toBe(1)
    expect(stderr).toContain('--rngs is a positive whole number, not "many"')
    expect(() => seedManifest('chess')).toThrow('there is no seed "chess"; use some of agentfold, ')
  })
})

interface Setting {
  readonly seed: string
  readonly size: 'small' | 'large'
  readonly rng: number
  readonly model?: Parameters<typeof runTask>[0]['model']
  readonly alter?: (path: string, text: string) => string
}

function run({ seed, size, rng, model = anIdealModel(), ...more }: Setting): Promise<Outcome> {
  const task = withdrawnSheets.generate({ size, rng })
  return runTask({ manifest: seedManifest(seed), catalog: seedCatalog, model, task, seed: rng, ...more })
}

function heightsIn(answer: unknown): Readonly<Record<string, number>> {
  const value: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer
  return (value as { heights: Record<string, number> }).heights
}

function check(task: WorldTask, answer: unknown): Promise<CheckResult> {
  const given = answer === undefined ? {} : { answer: JSON.parse(JSON.stringify(answer)) }
  return task.check({ ...given, readFile: async () => undefined })
}

function askedOf({ task }: WorldTask): readonly string[] {
  return /towers: ([^.]*)\./.exec(task.instruction)?.[1]?.split(/, | and /) ?? []
}

function textOf({ task }: WorldTask, path: string): string {
  return task.files?.find((file) => file.path === path)?.text ?? ''
}

function charsIn(files: readonly { readonly text?: string }[]): number {
  return files.reduce((sum, { text = '' }) => sum + text.length, 0)
}

/** Goes from the register along the sheets of a tower, by means of its own. */
function walk(
  task: WorldTask,
  name: string,
): { readonly withdrawn: readonly string[]; readonly inForce: string; readonly metres: number } {
  const register = (task.task.files ?? []).filter(({ path }) => path.startsWith('register/'))
  const next = (text: string): string | undefined =>
    new RegExp(`height of ${name} is on survey sheet \\d+ \\((.*?)\\)`).exec(text)?.[1]
  const paths: string[] = []
  let path = next(register.map(({ text = '' }) => text).join('\n'))
  while (path !== undefined) {
    paths.push(path)
    path = next(textOf(task, path))
  }
  const inForce = paths.at(-1) ?? ''
  const metres = Number(new RegExp(`height of ${name} is (\\d+) m\\.`).exec(textOf(task, inForce))?.[1])
  return { withdrawn: paths.slice(0, -1), inForce, metres }
}

/** A tower that is asked for and shares its sheet in force with no other such, and a sheet that leads to none of them. */
function loneTower(
  task: WorldTask,
): readonly { readonly name: string; readonly first: string; readonly elsewhere: string }[] {
  const walks = askedOf(task).map((name) => ({ name, ...walk(task, name) }))
  const used = walks.flatMap(({ withdrawn, inForce }) => [...withdrawn, inForce])
  const elsewhere = task.task.files?.find(({ path }) => path.startsWith('sheets/') && !used.includes(path))?.path ?? ''
  const alone = walks.filter(({ inForce }) => used.filter((path) => path === inForce).length === 1)
  return alone.slice(0, 1).map(({ name, withdrawn: [first = ''] }) => ({ name, first, elsewhere }))
}

function solve(task: WorldTask): Readonly<Record<string, number>> {
  return Object.fromEntries(askedOf(task).map((name) => [name, walk(task, name).metres]))
}

function aContext(workspace: string): ToolContext {
  return {
    callId: 'c1_1',
    signal: new AbortController().signal,
    workspace,
    path: '',
    step: 1,
    put: () => '',
    get: () => undefined,
  }
}
