// Runs the whole test suite on several Node.js versions: npm's package "node" carries their binaries.
//   node scripts/test-nodes.mjs [20 22 24]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
let failed = 0
for (const version of versions) {
  const vitest = ['node', join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'unit']
  const r = spawnSync('npx', ['--yes', `--package=node@${version}`, '--', ...vitest], { cwd: root, stdio: 'inherit' })
  console.log(`node ${version}: ${r.status === 0 ? 'passed' : 'FAILED'}`)
  if (r.status !== 0) failed++
}
console.log(`test-nodes: ${versions.length - failed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
