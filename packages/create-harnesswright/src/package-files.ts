import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { card } from './files/card.js'
import { manifestJson } from './files/manifest-json.js'
import { packageJson } from './files/package-json.js'
import { readme } from './files/readme.js'
import { PACKAGE_TEST, SEED_TEST } from './files/tests.js'
import { TSCONFIG, TSCONFIG_BUILD } from './files/tsconfig.js'
import type { NewPackage } from './read-request.js'

/** Modules and tests as they are written: files of this package, beside its sources and beside its build. */
const TEMPLATES = join(import.meta.dirname, '..', 'templates')

const IGNORED = 'node_modules/\ndist/\n*.tgz\n'

/** Every file of a new package: its text by its path, with `/` between folders. */
export function packageFiles(made: NewPackage): Readonly<Record<string, string>> {
  const isSeed = made.kind === 'seed'
  return {
    'package.json': json(packageJson(made)),
    'tsconfig.json': json(TSCONFIG),
    'tsconfig.build.json': json(TSCONFIG_BUILD),
    '.gitignore': IGNORED,
    'README.md': readme(made),
    ...(isSeed ? { 'CARD.md': card(made), 'manifest.json': json(manifestJson(made)) } : {}),
    'src/index.ts': [...made.parts]
      .sort()
      .map((part) => `export { ${part} } from './${part}.js'\n`)
      .join(''),
    ...Object.fromEntries(made.parts.flatMap((part) => copies(`src/${part}.ts`, `test/${part}.test.ts`))),
    ...Object.fromEntries(copies('test/run-with.ts', 'test/conformance.test.ts')),
    'test/package.test.ts': PACKAGE_TEST,
    ...(isSeed ? { 'test/seed.test.ts': SEED_TEST } : {}),
  }
}

function copies(...paths: readonly string[]): [path: string, text: string][] {
  return paths.map((path) => [path, readFileSync(join(TEMPLATES, path), 'utf8')])
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
