import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import { CreateError, type CreateRequest, createPackage, SLOTS } from 'create-harnesswright'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'create-harnesswright-test-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const json = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(cwd, path), 'utf8'))

/** The error with which a request is refused. */
function refusal(request: CreateRequest): CreateError {
  try {
    createPackage(request, cwd)
  } catch (error) {
    if (error instanceof CreateError) return error
    throw error
  }
  throw new Error('the package was created')
}

describe('what is written', () => {
  test.each(SLOTS)('a module for the slot %s has that module alone, and its tests', (slot) => {
    const { name, directory, files } = createPackage({ kind: 'module', name: 'own-words', slot }, cwd)

    expect({ name, directory }).toEqual({ name: 'harnesswright-plugin-own-words', directory: join(cwd, 'own-words') })
    expect(files.filter((path) => /^(src|test)\//.test(path))).toEqual(
      [
        'src/index.ts',
        `src/${slot}.ts`,
        'test/conformance.test.ts',
        `test/${slot}.test.ts`,
        'test/package.test.ts',
        'test/run-with.ts',
      ].sort(),
    )
    expect(readFileSync(join(directory, 'src/index.ts'), 'utf8')).toBe(`export { ${slot} } from './${slot}.js'\n`)
  })

  test('a module is one for the memory where no slot is named', () => {
    expect(createPackage({ kind: 'module', name: 'own-words' }, cwd).files).toContain('src/memory.ts')
  })

  test('a seed has a module for every slot, a manifest that names them, and a card', () => {
    const { name, files } = createPackage({ kind: 'seed', name: 'tree' }, cwd)

    expect(name).toBe('harnesswright-seed-tree')
    expect(files).toEqual(expect.arrayContaining(['CARD.md', 'manifest.json', 'test/seed.test.ts']))
    expect(json('tree/manifest.json')).toMatchObject({
      name: 'tree',
      packages: { [name]: '>=0.1.0 <1.0.0' },
      ...Object.fromEntries(SLOTS.map((slot) => [slot, { use: `${name}#${slot}` }])),
    })
    expect(json('tree/package.json')).toMatchObject({
      keywords: expect.arrayContaining(['harnesswright', 'harnesswright-plugin', 'harnesswright-seed']),
      exports: { './manifest.json': './manifest.json', './CARD.md': './CARD.md' },
    })
  })

  test('core is a peer with a bounded range, and what is packed is listed', () => {
    createPackage({ kind: 'plugin', name: '@you/harnesswright-short' }, cwd)

    expect(json('harnesswright-short/package.json')).toMatchObject({
      name: '@you/harnesswright-short',
      peerDependencies: { '@harnesswright/core': '>=0.1.0 <1.0.0' },
      files: ['dist', 'harnesswright.json'],
      harnesswright: { authority: 'none' },
      scripts: { build: expect.any(String), test: expect.any(String), describe: 'harnesswright describe' },
    })
  })

  test('the files of a folder that a person made have the same rights as others', () => {
    mkdirSync(join(cwd, 'other'))
    const { directory } = createPackage({ kind: 'module', name: 'own-words' }, cwd)

    expect(statSync(directory).mode).toBe(statSync(join(cwd, 'other')).mode)
  })

  test('the ranges are those that this repository is built and tested with', () => {
    createPackage({ kind: 'module', name: 'own-words' }, cwd)
    const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    const made = json('own-words/package.json') as { devDependencies: object; dependencies: { zod: string } }

    expect(made.devDependencies).toMatchObject({
      typescript: `^${devDependencies['typescript']}`,
      vitest: `^${devDependencies['vitest']}`,
    })
    expect(read('pnpm-workspace.yaml')).toContain(`zod: ${made.dependencies.zod}\n`)
    for (const path of ['packages/core', 'packages/cli']) {
      expect(JSON.parse(read(`${path}/package.json`))).toMatchObject({ version: expect.stringMatching(/^0\.(?!0\.)/) })
    }
  })
})

describe('names', () => {
  test.each([
    ['module', 'own-words', 'harnesswright-plugin-own-words'],
    ['plugin', 'harnesswright-plugin-own-words', 'harnesswright-plugin-own-words'],
    ['seed', 'harnesswright-seed-tree2', 'harnesswright-seed-tree2'],
    ['seed', '@a.b_c/harnesswright-tree', '@a.b_c/harnesswright-tree'],
  ])('a %s that is asked for as %s is published as %s', (kind, asked, name) => {
    expect(createPackage({ kind, name: asked }, cwd).name).toBe(name)
    expect(readdirSync(cwd)).toEqual([asked.replace(/^@[^/]*\//, '')])
  })

  test.each([
    ['module', 'My Words!', 'harnesswright-plugin-my-words'],
    ['module', '../words', 'harnesswright-plugin-words'],
    ['module', 'own_words', 'harnesswright-plugin-own-words'],
    ['module', '@you/words', '@you/harnesswright-words'],
    ['module', '@harnesswright/words', 'harnesswright-plugin-words'],
    ['seed', 'harnesswright-plugin-tree', 'harnesswright-seed-tree'],
    ['plugin', 'harnesswright-words', 'harnesswright-plugin-words'],
    ['module', 'harnesswright-harnesswright-', 'harnesswright-plugin-my-module'],
    ['plugin', 'harnesswright', 'harnesswright-plugin-my-plugin'],
    ['module', 'con', 'harnesswright-plugin-my-con'],
    ['module', '7', 'harnesswright-plugin-my-module'],
    ['seed', '', 'harnesswright-seed-my-seed'],
    ['module', 'a'.repeat(200), `harnesswright-plugin-${'a'.repeat(40)}`],
  ])('a %s cannot be named %j, and %s is proposed', (kind, name, nearest) => {
    expect(refusal({ kind, name })).toMatchObject({ code: 'E_CREATE_NAME', hint: `Write "${nearest}".` })
    expect(readdirSync(cwd)).toEqual([])
  })

  test('whatever is asked for, a package is written whole or refused with a name that is taken', () => {
    const kinds = fc.constantFrom('module', 'seed', 'plugin')
    const names = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', '-', '0', '/', '@', '.', 'harnesswright-') }),
    )
    fc.assert(
      fc.property(kinds, names, (kind, name) => {
        const folder = mkdtempSync(join(cwd, 'one-'))
        try {
          const { directory } = createPackage({ kind, name }, folder)
          expect(readdirSync(folder)).toHaveLength(1)
          expect(existsSync(join(directory, 'package.json'))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ code: 'E_CREATE_NAME' })
          expect(readdirSync(folder)).toEqual([])
          const [, proposed] = /^Write "(.*)"\.$/.exec((error as CreateError).hint) ?? []
          createPackage({ kind, name: proposed }, folder)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('what cannot be', () => {
  test.each<[CreateRequest, string, string]>([
    [{ kind: undefined, name: undefined }, 'It is not said', 'create module own-words'],
    [{ kind: 'modul', name: 'x' }, '"modul"', 'create module x'],
    [{ kind: 'action', name: 'x' }, '"action"', 'create module x --slot action'],
    [{ kind: 'seed', name: undefined }, 'no name', 'create seed own-words'],
    [{ kind: 'module', name: 'a', more: ['b'] }, '2 names', 'create module a-b'],
    [{ kind: 'module', name: 'x', slot: 'plannig' }, '"plannig"', 'create module x --slot planning'],
    [{ kind: 'seed', name: 'x', slot: 'memory' }, 'a seed has', 'create seed x'],
    [{ kind: 'plugin', name: 'x', slot: 'memory' }, 'a plugin stands', 'create plugin x'],
  ])('%j is refused, with what was found and what to write', (request, found, fix) => {
    const error = refusal(request)

    expect(error).toMatchObject({ code: 'E_CREATE_USAGE', hint: `Write "${fix}".` })
    expect(error.message).toContain(found)
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each(['a folder', 'a file'])('%s that is there stays as it is', (what) => {
    const path = join(cwd, 'own-words')
    if (what === 'a folder') mkdirSync(path)
    else writeFileSync(path, 'mine')

    expect(refusal({ kind: 'module', name: 'own-words' })).toMatchObject({
      code: 'E_CREATE_EXISTS',
      details: { where: path },
    })
    expect(readdirSync(cwd)).toEqual(['own-words'])
    if (what === 'a file') expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test('where nothing can be written nothing is left', () => {
    const request = { kind: 'module', name: 'own-words' }

    expect(() => createPackage(request, join(cwd, 'gone'))).toThrow(
      expect.objectContaining({ code: 'E_CREATE_WRITE', message: expect.stringContaining('ENOENT') }),
    )
    expect(readdirSync(cwd)).toEqual([])
  })

  test('an error is known as one of ours by every copy of core', () => {
    expect(isHarnessError(refusal({ kind: 'seed', name: undefined }))).toBe(true)
  })
})
