import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryDirectories } from './support/places.js'

const directoryOf = temporaryDirectories()
const SLOW_MS = 180_000 // a process of its own, on a machine that may be busy
const TSX = createRequire(import.meta.url).resolve('tsx')
const ENTRY = pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href

/** What a program prints in a process in which libsql cannot be found. */
function printed(program: string): string {
  const hooks = `export async function resolve(name, context, next) {
    if (name !== 'libsql') return await next(name, context)
    throw Object.assign(new Error("Cannot find package 'libsql'"), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
  const register = `import { register } from 'node:module'
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))})`
  const file = directoryOf('without.mts')
  writeFileSync(file, `${register}\nconst { openBank } = await import(${JSON.stringify(ENTRY)})\n${program}`)
  return execFileSync(process.execPath, ['--conditions=@harnesswright/source', '--import', TSX, file], {
    encoding: 'utf8',
  })
}

test('without libsql a bank has its index in memory, and one that asks for SQLite is told what to install', {
  timeout: SLOW_MS,
}, () => {
  const directory = JSON.stringify(directoryOf('bank'))
  const said = printed(`
    const bank = await openBank({ directory: ${directory} })
    console.log(bank.indexKind)
    await bank.close()
    const error = await openBank({ directory: ${directory}, index: 'sqlite' }).catch((error) => error)
    console.log(error.code, error.message, error.hint)`)
  expect(said).toBe('memory\nE_BANK_INDEX SQLite needs libsql, which is not installed. Run: npm install libsql@0.5\n')
})
