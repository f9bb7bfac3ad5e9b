import { readdirSync } from 'node:fs'
import { createEnvironment } from '@harnesswright/core'
import { assembleModules, createScriptedModel, type Script } from '@harnesswright/core/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openWorkspace } from '../src/workspaces/open-workspace.js'
import { makeTemporaryDirectory } from './temporary-directory.js'

const RESERVED = ['con', 'prn', 'aux', 'nul', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`com${n}`, `lpt${n}`])]

/** The documented rules for a name on Windows. */
function isLegal(name: string): boolean {
  const [stem = ''] = name.split('.')
  const isControl = Array.from(name).some((character) => (character.codePointAt(0) ?? 0) < 32)
  return !/[<>:"/\\|?*]|[. ]$/.test(name) && !isControl && !RESERVED.includes(stem.trim().toLowerCase())
}

/** Lets a model write files of these names, one a step, and gives what it was told and which names there are then. */
async function writing(paths: readonly string[]) {
  const directory = makeTemporaryDirectory({ isBusy: true })
  const { tools, workspaces, id } = openWorkspace(directory)
  const script = paths.map((path): Script => ({ call: 'write_file', with: { path, content: 'x' } }))
  const env = createEnvironment({ model: createScriptedModel([...script, 'done']), tools, workspaces, workspace: id })
  const result = await (await assembleModules({}, env)).run('Write the files.').result
  const told = result.steps.flatMap(({ observations }) => observations.map(({ content }) => content))
  return { result, told, names: readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort() }
}

test('K65: a name with a colon, a backslash or of a device is refused with the reason, and a path that starts with a slash with the right one', async () => {
  const { result, told, names } = await writing([
    'notes:today.md',
    'notes\\today.md',
    'aux.md',
    'notes/today. ',
    '/notes/today.md',
    'notes/today.md',
  ])

  expect(told).toEqual([
    expect.stringMatching(/^error.*"notes:today\.md" has a character/),
    expect.stringMatching(/^error.*has a character/),
    expect.stringMatching(/^error.*the name of a device/),
    expect.stringMatching(/^error.*ends with a dot or a space/),
    expect.stringMatching(/^error.*is absolute.*as in "notes\/today\.md"/),
    'Wrote 1 bytes to notes/today.md, a new file.',
  ])
  expect(names.map((name) => name.replaceAll('\\', '/'))).toEqual(['notes', 'notes/today.md'])
  expect(result.status).toBe('answered')
})

test('K65: whatever a model names a file, the names on the disk are legal on Windows', async () => {
  const piece = fc.constantFrom('a', ':', '/', '\\', '.', ' ', '?', '*', 'con', 'NUL.txt', 'lpt1', '\u0001', 'é', '|')
  const path = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.string({ minLength: 1, maxLength: 12 }),
  )
  let written = 0
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 8 }), async (paths) => {
      const { names } = await writing([...paths, 'plain.txt'])
      written += names.length
      for (const name of names.flatMap((one) => one.split(/[\\/]/))) expect(isLegal(name), name).toBe(true)
    }),
    { numRuns: 30, examples: [[[' con']]] },
  )

  expect(written).toBeGreaterThan(30)
}, 30_000)
