import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { FIXTURE, wasImported, writeFiles, writeProject } from '../../test/fixture-project.js'
import { NO_CONFIG } from '../config/config.js'
import { listPackages } from './project-packages.js'

const { dependencies } = packageJson

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'harnesswright-project-'))
  writeProject(project)
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

const list = (packages: readonly string[] = []) => listPackages({ ...NO_CONFIG, packages }, project)
const find = (name: string) => list().catalog.packages.find(({ description }) => description.name === name)

describe('the packages of a project', () => {
  test('direct dependencies that describe themselves are listed beside those that the command line brings', () => {
    const names = list().catalog.packages.map(({ description }) => description.name)

    const own = Object.keys(dependencies).filter((name) => /\/(?:seed-|plugin-capabilities)/.test(name))
    expect(own).toContain('@harnesswright/seed-react')
    expect(names).toEqual([FIXTURE, ...own])
  })

  test('listing imports nothing, and loading imports the package that is asked', async () => {
    wasImported()
    const found = find(FIXTURE)
    expect(wasImported()).toBe(false)

    const exported = await found?.load()

    expect(wasImported()).toBe(true)
    expect(exported).toHaveProperty('answers.slot', 'action')
  })

  test('of a package that the project and the command line both depend on, that of the project is listed', () => {
    const name = '@harnesswright/seed-react'
    writeFiles(project, {
      'package.json': JSON.stringify({ dependencies: { [name]: '9.9.9' } }),
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '9.9.9' }),
      [`node_modules/${name}/harnesswright.json`]: JSON.stringify({
        name,
        protocol: 1,
        authority: 'none',
        modules: {},
      }),
    })

    expect(find(name)?.version).toBe('9.9.9')
  })

  test('a package that is installed but no direct dependency is not listed', () => {
    writeFiles(project, {
      'node_modules/deep/package.json': JSON.stringify({ name: 'deep', version: '1.0.0' }),
      'node_modules/deep/harnesswright.json': JSON.stringify({
        name: 'deep',
        protocol: 1,
        authority: 'none',
        modules: {},
      }),
    })

    expect(find('deep')).toBeUndefined()
    expect(list(['deep']).catalog.packages[0]?.description.name).toBe('deep')
  })

  test.each([
    ['no JSON', '{', /JSON/],
    [
      'another name',
      JSON.stringify({ name: 'other', protocol: 1, authority: 'none', modules: {} }),
      /describes "other"/,
    ],
    ['no description', JSON.stringify({ name: FIXTURE }), /left out/],
  ])('a dependency whose description is %s is left out with a warning', (_what, text, warning) => {
    writeFiles(project, { [`node_modules/${FIXTURE}/harnesswright.json`]: text })

    const { catalog, warnings } = list()

    expect(catalog.packages.map(({ description }) => description.name)).not.toContain(FIXTURE)
    expect(warnings.join('\n')).toMatch(warning)
  })

  test.each([
    ['is not installed', 'not-there'],
    ['has no description', 'left-out'],
  ])('a package of the configuration that %s is an error', (_what, name) => {
    expect(() => list([name])).toThrow(expect.objectContaining({ code: 'E_CLI_PACKAGE' }))
  })
})

describe('identity', () => {
  test('an installed package has its version, and its integrity is of every file in it', () => {
    const before = find(FIXTURE)
    const [version, integrity] = [before?.version, before?.integrity]

    writeFiles(project, {
      [`node_modules/${FIXTURE}/README.md`]: 'more',
      [`node_modules/${FIXTURE}/node_modules/x/index.js`]: 'not its own',
    })
    const withReadme = find(FIXTURE)?.integrity
    writeFiles(project, { [`node_modules/${FIXTURE}/node_modules/x/index.js`]: 'changed' })

    expect(version).toBe('1.2.3')
    expect(integrity).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(withReadme).not.toBe(integrity)
    expect(find(FIXTURE)?.integrity).toBe(withReadme)
  })

  test('a linked package is known by its sources, without tests and without what was built', () => {
    const own = join(project, 'packages', 'mine')
    writeFiles(project, {
      'package.json': JSON.stringify({ dependencies: { mine: 'workspace:*' } }),
      'packages/mine/package.json': JSON.stringify({ name: 'mine', version: '3.0.0' }),
      'packages/mine/harnesswright.json': JSON.stringify({ name: 'mine', protocol: 1, authority: 'none', modules: {} }),
      'packages/mine/src/index.js': 'export const a = 1',
    })
    symlinkSync(own, join(project, 'node_modules', 'mine'), 'dir')
    const first = find('mine')
    const integrity = first?.integrity

    writeFiles(own, { 'src/index.test.ts': 'a test', 'dist/index.js': 'built', 'README.md': 'text' })
    expect(first?.version).toBe('0.0.0-linked')
    expect(find('mine')?.integrity).toBe(integrity)

    writeFileSync(join(own, 'src', 'index.js'), 'export const a = 2')
    expect(find('mine')?.integrity).not.toBe(integrity)
  })
})
