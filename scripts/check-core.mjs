// Keeps core small: its lines of code, its dependencies, what it imports, and the tarballs it brings along.
//   node scripts/check-core.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const core = join(root, 'packages/core')
const MAX_LINES = 3_500
const MAX_DEPENDENCIES = 5
const MAX_TARBALL_BYTES = 1_500_000
let failed = 0
let passed = 0
const report = (ok, text) => {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${text}`)
  if (ok) passed++
  else failed++
}

const sources = readdirSync(join(core, 'src'), { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile() && e.name.endsWith('.ts') && !/\.(test|test-d|bench)\.ts$/.test(e.name))
  .map((e) => join(e.parentPath, e.name))
const runTime = sources.filter((file) => !file.includes('/src/testkit/'))

const lines = runTime.reduce(
  (sum, file) =>
    sum +
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*|$)/.test(line)).length,
  0,
)
report(lines <= MAX_LINES, `packages/core/src holds ${lines} lines of code (at most ${MAX_LINES})`)

const { dependencies } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'))
const names = Object.keys(dependencies)
report(
  names.length <= MAX_DEPENDENCIES,
  `core has ${names.length} dependencies: ${names.join(', ')} (at most ${MAX_DEPENDENCIES})`,
)

const imports = new Map()
for (const file of sources)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^'.][^']*)'/g))
    imports.set(name, [...(imports.get(name) ?? []), file])
// The subpath `./node` is for Node.js alone.
const isForeign = (name) =>
  name.startsWith('node:')
    ? imports.get(name).some((file) => !/\/src\/(node|testkit)\//.test(file))
    : !names.some((dep) => name === dep || name.startsWith(`${dep}/`))
const foreign = [...imports.keys()].filter(isForeign)
report(foreign.length === 0, `core imports its dependencies only${foreign.length ? `, not ${foreign.join(', ')}` : ''}`)
const kit = runTime.filter((file) => /from '[^']*testkit/.test(readFileSync(file, 'utf8')))
report(kit.length === 0, `the code of core never imports the testkit${kit.length ? `: ${kit.join(', ')}` : ''}`)

// The dependency tree as it is installed here: every package below core, packed by npm as it was published.
function tree(dir, seen = new Map()) {
  const { dependencies: deps = {} } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  for (const name of Object.keys(deps)) {
    let at = dir
    while (!statSync(join(at, 'node_modules', name), { throwIfNoEntry: false })) at = dirname(at)
    const path = spawnSync('realpath', [join(at, 'node_modules', name)], { encoding: 'utf8' }).stdout.trim()
    if (seen.has(path)) continue
    seen.set(path, name)
    tree(path, seen)
  }
  return seen
}
// Compressed whole, with what a package leaves out of its tarball: an upper bound.
const sizeOf = (dir) =>
  spawnSync('tar', ['-czf', '-', '--exclude=node_modules', '-C', dir, '.'], { maxBuffer: 1e9 }).stdout.length
const out = mkdtempSync(join(tmpdir(), 'core-size-'))
try {
  const below = tree(core)
  report(![...below.values()].includes('zod'), 'zod is not among the dependencies of core')
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', out], {
    cwd: core,
    encoding: 'utf8',
  })
  if (packed.status !== 0) report(false, `npm pack of core: ${packed.stderr}`)
  const own = readdirSync(out).reduce((sum, file) => sum + statSync(join(out, file)).size, 0)
  const bytes = [...below.keys()].reduce((sum, dir) => sum + sizeOf(dir), own)
  report(
    bytes <= MAX_TARBALL_BYTES,
    `core and its dependency tree pack to ${(bytes / 1e6).toFixed(2)} MB (at most 1.5)`,
  )
} finally {
  rmSync(out, { recursive: true, force: true })
}
console.log(`check-core: ${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
