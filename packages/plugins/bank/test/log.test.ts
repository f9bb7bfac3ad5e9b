import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOG_FILE, openBank } from '../src/index.js'
import { anEvaluation } from './support/entries.js'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
const SLOW_MS = 180_000 // processes of their own, on a machine that may be busy
const WRITER = join(import.meta.dirname, 'support/writer.ts')
const TSX = createRequire(import.meta.url).resolve('tsx')
const NODE = [process.execPath, '--conditions=@harnesswright/source', '--import', TSX, WRITER]

/** A process that appends; what it said is in the lines. */
function startWriter(
  words: readonly string[],
  limitBlocks?: number,
): { readonly child: ChildProcess; readonly lines: string[] } {
  const command = [...NODE, ...words].map((word) => `'${word}'`).join(' ')
  const limited = limitBlocks === undefined ? `exec ${command}` : `ulimit -f ${limitBlocks}; exec ${command}`
  const child = spawn('bash', ['-c', limited], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  return { child, lines }
}

async function ended({ child }: { readonly child: ChildProcess }): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
}

test('two processes append at once, with one index, and no entry is lost', { timeout: SLOW_MS }, async () => {
  const directory = directoryOf('together')
  const writers = ['a', 'b'].map((name) => startWriter([directory, name, '60', 'sqlite']))
  await Promise.all(writers.map(ended))
  expect(writers.map(({ lines }) => lines.at(-1))).toEqual(['a-59', 'b-59'])
  const bank = await openBank({ directory, index: 'sqlite' })
  expect((await bank.counts()).evaluations).toBe(120)
  expect(await bank.setAside()).toEqual([])
  await bank.rebuild()
  expect((await bank.stats()).map(({ n }) => n)).toEqual([60, 60])
  await bank.close()
})

test('two banks on one log that append in turns, and a prune between, know the same', async () => {
  const directory = directoryOf('turns')
  const [one, other] = [await openBank({ directory, index: 'memory' }), await openBank({ directory, index: 'memory' })]
  const add = async (bank: typeof one, id: string): Promise<void> => await bank.addEvaluations([anEvaluation(id, 'x')])
  for (const id of ['a', 'b']) await add(one, id)
  for (const id of ['c', 'd']) await add(other, id)
  await add(one, 'e')
  await other.prune()
  for (const id of ['f', 'g']) await add(one, id)
  await add(other, 'h')
  await one.refresh()
  expect([await one.counts(), await other.counts()]).toEqual([
    expect.objectContaining({ evaluations: 8 }),
    expect.objectContaining({ evaluations: 8 }),
  ])
  for (const bank of [one, other]) {
    const ids = (await bank.evaluations({})).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await bank.close()
  }
})

test('a process that is killed loses nothing that it said it had remembered', { timeout: SLOW_MS }, async () => {
  const directory = directoryOf('killed')
  const writer = startWriter([directory, 'a', '100000'])
  while (writer.lines.length < 30) await once(writer.child.stdout as NodeJS.ReadableStream, 'data')
  writer.child.kill('SIGKILL')
  await ended(writer)
  const said = writer.lines.filter((line) => line.startsWith('a-'))
  appendFileSync(join(directory, LOG_FILE), '\n{"v":1,"kind":"eval') // where a power cut would leave it
  const bank = await openBank({ directory, index: 'memory' })
  await bank.addEvaluations([anEvaluation('later', 'b')])
  const known = new Set((await bank.evaluations({}, 1_000_000)).map(({ id }) => id))
  expect(said.filter((id) => !known.has(id))).toEqual([])
  expect(known.has('later')).toBe(true)
  expect(await bank.setAside()).toMatchObject([{ reason: 'no JSON' }])
  await bank.close()
})

test('a disk that is full is an error that says what to do, and leaves what was there', {
  timeout: SLOW_MS,
}, async () => {
  const directory = directoryOf('full')
  const writer = startWriter([directory, 'a', '1000'], 16) // 16 KiB
  await ended(writer)
  expect(writer.child.exitCode).toBe(1)
  expect(writer.lines.at(-1)).toBe(
    'E_BANK_FULL There is no room for what the bank has to remember. What was there before is whole.',
  )
  const remembered = writer.lines.filter((line) => line.startsWith('a-'))
  expect(remembered.length).toBeGreaterThan(10)
  const bank = await openBank({ directory, index: 'memory' })
  expect((await bank.counts()).evaluations).toBe(remembered.length)
  await bank.addEvaluations([anEvaluation(`a-${remembered.length}`, 'a')])
  expect((await bank.counts()).evaluations).toBe(remembered.length + 1)
  expect(await bank.setAside()).toHaveLength(1)
  await bank.close()
})

test('what a newer program wrote is refused, and stays as it is', async () => {
  const directory = directoryOf('newer')
  const bank = await openBank({ directory, index: 'sqlite' })
  await bank.addEvaluations([anEvaluation('e1', 'a')])
  appendFileSync(
    bank.logPath,
    `\n${JSON.stringify({ ...anEvaluation('e2', 'a'), v: 2, kind: 'evaluation', at: 1, shape: 'new' })}\n`,
  )
  const before = readFileSync(bank.logPath, 'utf8')
  await expect(bank.refresh()).rejects.toMatchObject({ code: 'E_BANK_NEWER', details: { version: 2 } })
  await bank.close()
  const refusal = { code: 'E_BANK_NEWER', hint: expect.stringContaining('npm install harnesswright@latest') }
  await expect(openBank({ directory, index: 'sqlite' })).rejects.toMatchObject(refusal)
  await expect(openBank({ directory, index: 'memory' })).rejects.toMatchObject(refusal)
  expect(readFileSync(bank.logPath, 'utf8')).toBe(before)
})

test('a file that is no log is refused', async () => {
  const directory = directoryOf('other')
  mkdirSync(directory)
  writeFileSync(join(directory, LOG_FILE), 'shopping list\n')
  await expect(openBank({ directory, index: 'memory' })).rejects.toMatchObject({ code: 'E_BANK_OPEN' })
})

test('a directory that cannot be made is an error', async () => {
  const file = directoryOf('file')
  writeFileSync(file, '')
  await expect(openBank({ directory: join(file, 'bank'), index: 'memory' })).rejects.toMatchObject({
    code: 'E_BANK_OPEN',
  })
})

test('an entry that is none is refused, and nothing of its call is written', async () => {
  const bank = await openBank({ directory: directoryOf('bad'), index: 'memory' })
  const before = readFileSync(bank.logPath, 'utf8')
  await expect(
    bank.addEvaluations([anEvaluation('e1', 'a'), anEvaluation('e2', 'a', { reward: 1.2 })]),
  ).rejects.toMatchObject({
    code: 'E_BANK_ENTRY',
    message:
      'Entry 2 cannot be remembered: reward is 1.2, expected a number from 0 to 1, or null. Nothing was written.',
  })
  await expect(bank.addEvaluations([anEvaluation('e1', 'a', { masked: true })])).rejects.toMatchObject({
    message: 'Entry 1 cannot be remembered: reward is null exactly where masked is true. Nothing was written.',
  })
  expect(readFileSync(bank.logPath, 'utf8')).toBe(before)
  await bank.close()
})

test.each([
  ['a time that no calendar has', { at: 1e18 }, 'at is 1000000000000000000, expected a time in ms since 1970'],
  [
    'a value of thousands of levels',
    { budget: JSON.parse(`${'{"a":'.repeat(9_000)}0${'}'.repeat(9_000)}`) },
    'budget is nested too deep, expected a JSON value of at most 200 levels',
  ],
])('%s is no part of an entry', async (_what, fields, fault) => {
  const bank = await openBank({ directory: directoryOf(`odd ${fault.slice(0, 2)}`), index: 'memory' })
  await expect(bank.addEvaluations([anEvaluation('odd', 'x', fields)])).rejects.toThrow(fault)
  await bank.close()
})
