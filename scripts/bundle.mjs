#!/usr/bin/env node
// Puts the modules of each entry of what an import of harnesswright loads into few files: a process imports some hundred files fewer,
// which is half of the time that an import takes (docs/guide/benchmarks.md). Types come from tsc. Quick when nothing changed.
//   node scripts/bundle.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const PLUGINS = ['bank', 'manifest', 'meta-agent', 'model-openai', 'model-sim', 'tools-workspace', 'worlds']

for (const name of ['protocol', 'core', ...PLUGINS.map((plugin) => `plugins/${plugin}`)]) {
  const dir = join(root, 'packages', name)
  const { exports } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  const { outputFiles } = await build({
    absWorkingDir: dir,
    entryPoints: Object.values(exports).flatMap((entry) => entry['@harnesswright/source'] ?? []),
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false, // the sources are in the package
    write: false,
    logLevel: 'warning',
  })
  const written = new Map(outputFiles.map(({ path, text }) => [path, text]))
  for (const [path, text] of written) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const dist = join(dir, 'dist')
  for (const file of readdirSync(dist, { recursive: true }).map((path) => join(dist, path)))
    if (/\.js(\.map)?$/.test(file) && !written.has(file)) rmSync(file)
}
