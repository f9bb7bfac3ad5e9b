// Checks that the documentation agrees with the repository: error codes and headings, snippets and the files they are
// copied from, quoted output and what programs print, the guide to the command line and its help, relative links, and
// the length of package READMEs.
//   node scripts/check-docs.mjs [--write]      --write brings the snippets up to date
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'

const root = join(import.meta.dirname, '..')
const guide = join(root, 'docs/guide')
const MAX_README_LINES = 120
const SKIPPED = new Set(['node_modules', 'dist', 'build', '.git', 'coverage', '.cache'])

const read = (file) => readFileSync(file, 'utf8')
const nameOf = (file) => relative(root, file).split(sep).join('/')

/** Files below a folder for which `keep` holds, in the order of their paths. */
function filesBelow(folder, keep) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path, keep)
      return keep(entry.name) ? [path] : []
    })
}

/** The folders of all packages. */
function packageFolders() {
  return filesBelow(join(root, 'packages'), (name) => name === 'package.json').map(dirname)
}

/** Everything that people read: one page of the root, the guides, the pages of packages. */
function documents() {
  const own = ['README.md', 'CONTRIBUTING.md', 'UPGRADING.md'].map((name) => join(root, name)).filter(existsSync)
  const pages = filesBelow(join(root, 'docs'), (name) => name.endsWith('.md'))
  const ofPackages = packageFolders().flatMap((folder) =>
    ['README.md', 'CARD.md'].map((name) => join(folder, name)).filter(existsSync),
  )
  return [...own, ...pages, ...ofPackages]
}

// ---- error codes

/** Codes of core: the keys of its table. */
function coreCodes() {
  const table = read(join(root, 'packages/protocol/src/errors/table.ts'))
  return Array.from(table.matchAll(/^ {2}(E_[A-Z]+(?:_[A-Z]+)+):/gm), ([, code]) => code)
}

/** Codes that other packages write in their sources, as a text or as a key. Comments and tests are left out. */
function otherCodes() {
  const sources = packageFolders()
    .filter((folder) => folder !== join(root, 'packages/core'))
    .flatMap((folder) => filesBelow(join(folder, 'src'), (name) => /^(?!.*\.test(-d)?\.).*\.ts$/.test(name)))
  return sources.flatMap((file) => {
    const code = read(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    const texts = code.matchAll(/(['"`])(E_[A-Z]+(?:_[A-Z]+)+)\1/g)
    const keys = code.matchAll(/^\s*(E_[A-Z]+(?:_[A-Z]+)+):/gm)
    return [...Array.from(texts, ([, , found]) => found), ...Array.from(keys, ([, found]) => found)]
  })
}

const areaOf = (code) => code.split('_')[1].toLowerCase()

/** One heading for each code, on the page of its area, and no heading without a code. */
function checkCodes() {
  const codes = [...new Set([...coreCodes(), ...otherCodes()])].sort()
  const headings = filesBelow(guide, (name) => /^errors-.*\.md$/.test(name)).flatMap((file) =>
    Array.from(read(file).matchAll(/^## (.*)$/gm), ([, title]) => ({ file, title })),
  )
  for (const { file, title } of headings)
    report(codes.includes(title), `${nameOf(file)}: the heading "${title}" is no error code of the sources`)
  for (const code of codes) {
    const found = headings.filter(({ title }) => title === code)
    const page = `docs/guide/errors-${areaOf(code)}.md`
    report(found.length === 1, `${code} has ${found.length} headings, expected one on ${page}`)
    for (const { file } of found)
      report(nameOf(file) === page, `${code} stands on ${nameOf(file)}, expected on ${page}`)
  }
}

// ---- snippets

const SNIPPET = /(^<!-- snippet: ([^\s#]+)(?:#(\S+))? -->\n)([\s\S]*?)(^<!-- \/snippet -->)/gm

/** The lines of a region, or of the whole file, without what all of them are indented by and without region marks. */
function regionOf(file, region) {
  let lines = read(file).split('\n')
  if (region !== undefined) {
    const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
    const end = lines.findIndex((line, index) => index > start && line.trim() === `// #endregion ${region}`)
    if (start < 0 || end < 0) return undefined
    lines = lines.slice(start + 1, end)
  }
  lines = lines.filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line))
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim()
}

/** Every snippet equals the place it is copied from; with `--write` it is made so. */
function checkSnippets(write) {
  for (const file of documents()) {
    const text = read(file)
    const updated = text.replace(SNIPPET, (whole, open, from, region, _body, close) => {
      const source = join(root, from)
      const code = existsSync(source) ? regionOf(source, region) : undefined
      if (!report(code !== undefined, `${nameOf(file)}: there is no ${from}${region ? `#${region}` : ''}`)) return whole
      return `${open}\n\`\`\`${from.split('.').at(-1)}\n${code}\n\`\`\`\n\n${close}`
    })
    const marks = text.match(/^<!-- \/?snippet/gm) ?? []
    report(
      marks.length === 2 * (text.match(SNIPPET) ?? []).length,
      `${nameOf(file)}: a snippet is not opened or not closed`,
    )
    if (write && updated !== text) {
      writeFileSync(file, updated)
      console.log(`wrote the snippets of ${nameOf(file)}`)
    } else
      report(
        updated === text,
        `${nameOf(file)}: a snippet differs from its file; run "node scripts/check-docs.mjs --write"`,
      )
  }
}

// ---- links

/** The text without code: what stands in fences and between backticks is no link and no heading. */
const withoutCode = (text) => text.replace(/^(```+)[\s\S]*?^\1\s*$/gm, '').replace(/`[^`\n]*`/g, '')

/** Anchors of the headings of a page, as repository viewers and typedoc make them. */
function anchorsOf(file) {
  const seen = new Map()
  return Array.from(
    read(file)
      .replace(/^(```+)[\s\S]*?^\1\s*$/gm, '')
      .matchAll(/^#{1,6} +(.*?) *$/gm),
    ([, title]) => {
      const slug = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    },
  )
}

/** Every relative link leads to a file, and its anchor to a heading. */
function checkLinks() {
  for (const file of documents()) {
    for (const [, target] of withoutCode(read(file)).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)) {
      if (/^[a-z][a-z+.-]*:/i.test(target)) continue
      const [path, anchor] = target.split('#')
      const to = path === '' ? file : resolve(dirname(file), decodeURI(path))
      if (!report(existsSync(to), `${nameOf(file)}: the link ${target} leads nowhere`)) continue
      if (anchor === undefined || statSync(to).isDirectory()) continue
      report(anchorsOf(to).includes(anchor), `${nameOf(file)}: the link ${target} names no heading`)
    }
  }
}

// ---- the site

/** Every guide is on the site: typedoc takes what is listed, in that order. */
function checkSite() {
  const { projectDocuments } = JSON.parse(read(join(root, 'docs/typedoc.json')))
  for (const file of filesBelow(guide, (name) => name.endsWith('.md') && !name.startsWith('errors-'))) {
    const path = nameOf(file).slice('docs/'.length)
    report(projectDocuments.includes(path), `${nameOf(file)} is not among the projectDocuments of docs/typedoc.json`)
  }
}

// ---- package READMEs

/** Every package has a README, which can be read in one sitting. */
function checkReadmes() {
  for (const folder of packageFolders()) {
    const file = join(folder, 'README.md')
    if (!report(existsSync(file), `${nameOf(folder)} has no README.md`)) continue
    const lines = read(file).trimEnd().split('\n').length
    report(lines <= MAX_README_LINES, `${nameOf(file)} has ${lines} lines, expected at most ${MAX_README_LINES}`)
  }
}

// ---- output

const home = mkdtempSync(join(tmpdir(), 'check-docs-'))
const outputs = new Map()

/** Runs an example, or the command line with these words, once; gives both of its streams. */
function run(words) {
  if (outputs.has(words)) return outputs.get(words)
  const tsx = [join(root, 'node_modules/tsx/dist/cli.mjs'), '--conditions=@harnesswright/source']
  const program = words.endsWith('.ts') ? [words] : ['packages/cli/src/bin.ts', ...words.split(' ')]
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, HARNESSWRIGHT_MODEL: _model, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', HARNESSWRIGHT_HOME: home }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...tsx, ...program], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  outputs.set(words, { status, text: `${stdout}\n${stderr}`, stdout })
  return outputs.get(words)
}

const OUTPUT = /^<!-- output: (.+) -->\n\n```\w*\n([\s\S]*?)```/gm

/** Every line of a quoted output is one that the program prints; where it was shortened it has an ellipsis. */
function checkOutput() {
  for (const file of documents()) {
    for (const [, words, quoted] of read(file).matchAll(OUTPUT)) {
      const { status, text } = run(words)
      report(status !== 70 && status !== null, `${nameOf(file)}: "${words}" ended with ${status}`)
      const printed = text.split('\n')
      for (const line of quoted.split('\n').filter((one) => one.trim() !== '')) {
        const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        const pattern = new RegExp(`^${parts.join('.*')}$`)
        report(
          printed.some((one) => pattern.test(one)),
          `${nameOf(file)}: "${words}" does not print: ${line}`,
        )
      }
    }
  }
}

// ---- the command line

/** The guide to the command line names every command and option of the help, and no other. */
function checkCommandLine() {
  const page = join(guide, 'command-line.md')
  if (!report(existsSync(page), 'docs/guide/command-line.md is not there')) return
  const { stdout, status } = run('--help')
  if (!report(status === 0, `harnesswright --help ended with ${status}`)) return
  const options = new Set(Array.from(stdout.matchAll(/^ {2}(--[a-z-]+)/gm), ([, name]) => name))
  const [, commands = ''] = /^commands\n([\s\S]*?)\n\noptions/m.exec(stdout) ?? []
  const names = new Set(Array.from(commands.matchAll(/^ {2}([a-z]+)/gm), ([, name]) => name))
  const rows = Array.from(read(page).matchAll(/^\| `(.+?)`/gm), ([, cell]) => cell.split(/[ =]/)[0])
  for (const one of [...names, ...options]) report(rows.includes(one), `${nameOf(page)} has no row for ${one}`)
  for (const row of rows.filter((one) => /^(--[a-z-]+|[a-z]+)$/.test(one)))
    report(names.has(row) || options.has(row), `${nameOf(page)}: ${row} is not in the help`)
}

// ----

let passed = 0
let failed = 0

/** Counts one check and prints a line for a fault; gives whether it holds. */
function report(holds, fault) {
  if (holds) passed++
  else {
    failed++
    console.error(fault)
  }
  return holds
}

checkCodes()
checkSnippets(process.argv.includes('--write'))
checkLinks()
checkSite()
checkReadmes()
try {
  checkOutput()
  checkCommandLine()
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(`check-docs: ${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
