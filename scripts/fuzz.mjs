// Runs the property tests with values that no run of the suite has drawn.
//   npm run test:fuzz -- [runs of a property that does not say so itself, 400] [files…]
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [runs = '400', ...named] = process.argv.slice(2)
const tests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const hasProperties = (path) => readFileSync(join(root, path), 'utf8').includes("from 'fast-check'")
const files = named.length > 0 ? named : tests.filter(hasProperties)
const vitest = [
  join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  '--project',
  'unit',
  '--testTimeout',
  '600000',
]
const env = { ...process.env, HARNESSWRIGHT_FUZZ: runs }
process.exitCode = spawnSync(process.execPath, [...vitest, ...files], { cwd: root, stdio: 'inherit', env }).status ?? 1
