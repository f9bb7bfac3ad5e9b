import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'
import { type FixtureAction, writeFiles, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
  writeProject(box.root)
})
afterEach(() => box.remove())

/** Runs one of the actions of the fixture on a task. */
const runAction = (action: FixtureAction, ...more: readonly string[]) =>
  box.run(['run', '--manifest', `${action}.json`, ...more])

/** Directory of the only run. */
function runDirectory(): string {
  const [only, ...others] = readdirSync(join(box.home, 'runs'))
  if (only === undefined || others.length > 0) throw new Error('one run was expected')
  return join(box.home, 'runs', only)
}

describe('the folders of skills in the configuration', () => {
  const config = { 'harnesswright.config.json': '{ "skills": ["skills"] }' }

  test('are read, and a run has their skills', async () => {
    writeFiles(box.root, { ...config, 'skills/sums/SKILL.md': '---\nname: sums\ndescription: Adds.\n---\nAdd them.\n' })
    const { code, stdout } = await runAction('lists', 'a task')

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(['sums'])
  })

  test('that hold none end the run before it begins, and nothing is left behind', async () => {
    writeFiles(box.root, { ...config, 'skills/sums/readme.md': 'Add them.' })
    const { code, stderr } = await runAction('lists', 'a task')

    expect(stderr).toContain('error[E_SKILL_FOLDER] There is no SKILL.md in')
    expect(code).toBe(3)
    expect(readdirSync(join(box.home, 'runs'))).toEqual([])
  })
})

describe('exit codes', () => {
  test('0: answered, and the check passed', async () => {
    const { code, stdout, stderr } = await box.run(['run', '--world', 'quotes', '--rng', '7'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/^The sum of the quote is [\d.]+ EUR for \d+ lines\.\n$/)
    expect(stderr).toMatch(/^check: passed\n {2}\d+ of \d+ right/m)
  })

  test('0: answered, and there is no check', async () => {
    expect((await runAction('answers', 'a task')).code).toBe(0)
  })

  test('0: a limit ended the run, and what it left behind passes the check', async () => {
    const { code, stderr } = await box.run(['run', '--world', 'quotes', '--rng', '7', '--limit', 'steps=4'])

    expect(stderr).toMatch(/^limit \(steps\)/m)
    expect(stderr).toMatch(/^check: passed$/m)
    expect(code).toBe(0)
  })

  test('1: answered, and the check failed', async () => {
    const { code, stderr } = await runAction('answers', '--world', 'quotes')

    expect(stderr).toMatch(/^check: failed\n {2}\S/m)
    expect(code).toBe(1)
  })

  test('4: the model cannot be used for the task', async () => {
    const { code, stderr } = await runAction('asks', 'what is this?')

    expect(stderr).toMatch(/^error\[E_SIM_NO_TASK\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: .+$/m)
    expect(code).toBe(4)
  })

  test('5: a limit ended the run and there is no checked answer', async () => {
    expect((await runAction('thinks', 'a task', '--limit', 'steps=2')).code).toBe(5)
    expect((await runAction('thinks', '--world', 'quotes')).code).toBe(5)
  })

  test('6: a module failed, and the error names it', async () => {
    const { code, stderr } = await runAction('throws', 'a task')

    expect(stderr).toMatch(/^error\[E_RUN_MODULE\] .*a bug of the module\nwhere: @acme\/harnesswright-odd#throws/m)
    expect(code).toBe(6)
  })

  test('7: the agent gave up, and says why', async () => {
    const { code, stderr } = await runAction('fails', 'a task')

    expect(stderr).toMatch(/^failed \(the lists are missing\)/m)
    expect(code).toBe(7)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the run with %i, and what is not finished is not checked', async (signal, expected) => {
    const argv = ['run', '--manifest', 'thinks.json', '--world', 'quotes', '--limit', 'steps=1000000', '--json']
    const { code, stdout, stderr } = await box.run(argv, {
      onError: (text, send) => {
        if (text.startsWith('step 5')) send(signal)
      },
    })

    expect(code).toBe(expected)
    expect(stderr).toMatch(/^aborted/m)
    expect(stderr).not.toContain('check:')
    expect(JSON.parse(stdout)).toMatchObject({ status: 'aborted', steps: expect.any(Number) })
    expect(JSON.parse(stdout)).not.toHaveProperty('check')
    expect(readFileSync(join(runDirectory(), 'trace.jsonl'), 'utf8')).toContain('"type":"run-end"')
  })
})

describe('what is printed', () => {
  test('the first line on standard error says which model and why, that it is simulated, and the random seed', async () => {
    const { stderr } = await runAction('answers', 'a task', '--rng', '9')

    expect(stderr.split('\n')[0]).toMatch(/^model: sim-mid \(simulated.*\), nothing names another; rng 9$/)
  })

  test('text from the model reaches a terminal without control and bidi characters', async () => {
    const answered = await runAction('answers', 'a task', '--verbose')
    const failed = await runAction('fails', 'a task', '--verbose')

    expect(answered.stdout).toBe('all is well\n')
    for (const { stderr } of [answered, failed]) {
      expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    }
  })

  test('--quiet leaves the model, the verdict and warnings', async () => {
    const { stderr } = await runAction('answers', '--world', 'quotes', '--quiet')

    expect(stderr).toMatch(/^model: .+\ncheck: failed\n( {2}.+\n)+$/)
  })

  test('--json prints one object with every field of the contract, and nothing else, on standard output', async () => {
    const { stdout } = await box.run(['run', '--world', 'quotes', '--rng', '7', '--json'])

    const result = JSON.parse(stdout) as Record<string, unknown>
    expect(stdout.endsWith('}\n')).toBe(true)
    expect(Object.keys(result)).toEqual([
      'status',
      'reason',
      'answer',
      'check',
      'model',
      'simulated',
      'manifestId',
      'harnessId',
      'manifest',
      'route',
      'steps',
      'modelCalls',
      'usage',
      'usd',
      'ms',
      'queuedMs',
      'trace',
      'snapshot',
      'questions',
      'warnings',
    ])
    expect(result).toMatchObject({
      status: 'answered',
      check: { passed: true },
      model: 'sim-mid',
      simulated: true,
      route: 'rules',
      usage: { source: 'known', partial: false },
    })
  })

  test('--json keeps the answer as it is, with what is unsafe for a terminal escaped', async () => {
    const { stdout } = await runAction('answers', 'a task', '--json')

    expect(JSON.parse(stdout)).toMatchObject({ answer: 'all is well\u001b[31m\u202e' })
    expect(JSON.parse(stdout)).not.toHaveProperty('check')
    expect(stdout).not.toMatch(/[\u202e]/)
  })

  test('writes no key that the task has in its text, not in its journal either', async () => {
    const env = { OPENAI_API_KEY: 'sk-of-the-user-1' }
    await box.run(['run', 'What is 2+2? sk-of-the-user-1', '--model', 'sim-mid'], { env })
    const names = readdirSync(runDirectory()).filter((name) => /jsonl?$/.test(name))
    const text = names.map((name) => readFileSync(join(runDirectory(), name), 'utf8')).join('')

    expect(names).toContain('journal.jsonl')
    expect(text).toContain('What is 2+2? [secret]')
    expect(text).not.toContain('sk-of-the-user-1')
  })

  test('writes no key that stands in a file of the task', async () => {
    const task = { instruction: 'Say hello.', files: [{ path: 'a.txt', text: 'key sk-of-the-user-1' }] }
    writeFiles(box.root, { 'task.json': JSON.stringify(task) })
    const env = { OPENAI_API_KEY: 'sk-of-the-user-1' }
    await box.run(['run', '--task-file', 'task.json', '--model', 'sim-mid'], { env })
    const names = readdirSync(runDirectory()).filter((name) => /jsonl?$/.test(name))

    expect(names).toContain('journal.jsonl')
    for (const name of names) expect(readFileSync(join(runDirectory(), name), 'utf8')).not.toContain('sk-of-the-user-1')
  })

  test('a key of the environment is never printed or stored', async () => {
    const env = { MY_API_KEY: 'sk-of-the-user-1' }
    const { stdout } = await box.run(['run', '--manifest', 'leaks.json', 'a task'], { env })

    expect(stdout).toBe('the key is [secret]\n')
    for (const name of ['trace.jsonl', 'result.json']) {
      expect(readFileSync(join(runDirectory(), name), 'utf8')).not.toContain('sk-of-the-user-1')
    }
  })
})

describe('child runs', () => {
  test('stand in above the step that started them, each under its path', async () => {
    const { code, stderr } = await runAction('spawns', 'a task')

    const told = stderr.split('\n').map((line) => line.replace(/ {2}0 tokens.*/, ''))
    expect(code).toBe(0)
    for (const side of ['left', 'right']) {
      expect(told.filter((line) => line.includes(`1.${side}`))).toEqual([
        `  1.${side} starts: Look ${side}.`,
        `  1.${side} step 1  answer`,
        `  1.${side} answered`,
      ])
    }
    expect(told.indexOf('step 1  spawn left, right')).toBeGreaterThan(told.indexOf('  1.right answered'))
  })
})

describe('the harness', () => {
  test('--seed takes a scaffold, and --rng is what makes a run another', async () => {
    const run = async (rng: string) => {
      const { stdout } = await box.run(['run', '--world', 'quotes', '--seed', 'react', '--rng', rng, '--json'])
      return JSON.parse(stdout) as { route: string; trace: string; manifest: { name: string } }
    }
    const [first, again, other] = [await run('7'), await run('7'), await run('8')]

    expect(first).toMatchObject({ route: 'fixed', manifest: { name: 'react' } })
    expect(JSON.parse(readFileSync(first.trace, 'utf8').split('\n')[0] ?? '')).toMatchObject({ seed: 7 })
    expect(readFileSync(again.trace, 'utf8')).toBe(readFileSync(first.trace, 'utf8'))
    expect(readFileSync(other.trace, 'utf8')).not.toBe(readFileSync(first.trace, 'utf8'))
  })

  test('a manifest with problems is refused with each of them, and no run is left behind', async () => {
    writeFiles(box.root, {
      'bad.json': JSON.stringify({ protocol: 1, name: 'bad', packages: {}, memory: null, action: null }),
    })

    const { code, stdout, stderr } = await box.run(['run', '--manifest', 'bad.json', 'a task'])

    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error\[E_MANIFEST_INVALID\]/m)
    expect(stderr).toMatch(/^1\. E_MANIFEST_/m)
    expect(stderr).toMatch(/^2\. E_MANIFEST_/m)
    expect(readdirSync(join(box.home, 'runs'))).toEqual([])
  })

  test('an unknown scaffold is refused with the nearest, and a number is told from a random seed', async () => {
    const unknown = await box.run(['run', '--seed', 'raect', 'a task'])
    const number = await box.run(['run', '--seed', '42', 'a task'])

    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('fix: Write --seed react') })
    expect(number).toMatchObject({ code: 2, stderr: expect.stringContaining('--rng 42') })
  })

  test('two harnesses at once are refused', async () => {
    expect((await box.run(['run', '--seed', 'react', '--compose', 'a task'])).code).toBe(2)
  })
})

describe('records', () => {
  test('a run keeps its trace, its manifest and its result, and --trace writes the trace elsewhere too', async () => {
    const { stdout } = await runAction('answers', 'a task', '--json', '--trace', 'my.jsonl')

    const trace = readFileSync(join(runDirectory(), 'trace.jsonl'), 'utf8')
    expect(readFileSync(join(box.root, 'my.jsonl'), 'utf8')).toBe(trace)
    expect(JSON.parse(stdout)).toMatchObject({ trace: join(box.root, 'my.jsonl') })
    expect(
      trace
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['run-start', 'step-start', 'step-end', 'run-end'])
    const kept = JSON.parse(readFileSync(join(runDirectory(), 'result.json'), 'utf8')) as object
    expect(kept).toMatchObject({
      rng: 1,
      status: 'answered',
      task: { instruction: 'a task' },
      run: { status: 'answered' },
    })
    expect(JSON.parse(readFileSync(join(runDirectory(), 'manifest.json'), 'utf8'))).toMatchObject({ name: 'answers' })
  })

  test('the files of a task are in a new workspace, and nowhere else', async () => {
    await box.run(['run', '--world', 'quotes', '--rng', '7'])

    expect(readdirSync(join(runDirectory(), 'workspace'))).toEqual(
      expect.arrayContaining(['answer.json', 'lists', 'order.txt']),
    )
    expect(existsSync(join(box.root, 'order.txt'))).toBe(false)
  })
})
