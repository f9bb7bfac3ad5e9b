// Every kind of fault that users of agent frameworks report, and that is ours to survive, has a test whose title cites its
// number, such as "K17". Prints the kinds that none cites.
//   node scripts/check-kinds.mjs
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseAst } from 'vite'

const root = join(import.meta.dirname, '..')

/** The kinds, each in a word. */
const KINDS = {
  1: 'syntax',
  2: 'neighbour',
  3: 'midway',
  4: 'persistence',
  5: 'field',
  6: 'coercion',
  7: 'batch',
  8: 'references',
  9: 'structure',
  10: 'namespace',
  11: 'names',
  12: 'markup',
  13: 'dialects',
  14: 'thinking',
  15: 'echo',
  16: 'reasoning-only',
  17: 'indices',
  18: 'tail',
  19: 'index-missing',
  20: 'index-zero',
  21: 'glue',
  22: 'bytes',
  23: 'suffix',
  24: 'id-missing',
  25: 'id-twice',
  26: 'interruption',
  27: 'resume-twice',
  28: 'emptiness',
  29: 'length',
  30: 'null-refused',
  31: 'null-given',
  32: 'cap',
  33: 'repetition',
  34: 'stubbornness',
  35: 'once',
  36: 'aborted-before',
  37: 'abort-below',
  38: 'break',
  40: 'patience',
  41: 'deadline',
  42: 'listeners',
  43: 'cool-down',
  44: 'announcement',
  45: 'rejection',
  46: 'attempts',
  47: 'summary',
  48: 'overflow',
  49: 'pairs',
  50: 'system-lost',
  51: 'system-first',
  52: 'digestion',
  53: 'counters',
  54: 'objects',
  55: 'approvals',
  56: 'unknown-usage',
  57: 'usage-asked',
  58: 'usage-twice',
  59: 'price',
  60: 'model-switch',
  61: 'date',
  62: 'surrogate-in',
  63: 'surrogate-out',
  64: 'size',
  65: 'windows',
  66: 'peers',
  67: 'exports',
  68: 'import',
  69: 'required',
  70: 'protocol',
  71: 'telemetry',
  72: 'spans-error',
  73: 'spans-finish',
  74: 'heap',
  75: 'twice',
  76: 'dead-genes',
  77: 'proposals',
  78: 'prompt-size',
  79: 'unseen',
}

/** Kinds that nothing here can have yet, and why. */
const EXCUSED = {
  39: 'no client of the Model Context Protocol is part of this version',
  80: 'no record and replay is part of this version',
  81: 'no record and replay is part of this version',
}

/** Programs that check packages as they are installed: the titles of their steps count. */
const PROGRAMS = ['scripts/publish-e2e/clients.mjs', 'scripts/publish-e2e/seeds-alone.mjs']

/** Every test file of the repository, and these programs. */
/** Test files below a folder. Links are not followed: packages of a workspace lead to each other. */
function testsBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : testsBelow(path)
    return /\.test(-d)?\.ts$/.test(entry.name) ? [path] : []
  })
}

function filesWithTitles() {
  const tests = ['packages', 'examples'].flatMap((folder) => testsBelow(join(root, folder)))
  return [...tests, ...PROGRAMS.map((path) => join(root, path))]
}

/** The names of a call's callee, from `test` to `each`; with the tables that are passed on the way. */
function calleeOf(node, names = [], tables = []) {
  if (node.type === 'Identifier') return { names: [node.name, ...names], tables }
  if (node.type === 'MemberExpression') return calleeOf(node.object, [node.property.name, ...names], tables)
  if (node.type === 'CallExpression') return calleeOf(node.callee, names, [...node.arguments, ...tables])
  return { names: [], tables: [] }
}

/** Titles of the tests below a node. One that is skipped shows nothing, and nor does what is in it. */
function titlesIn(node) {
  if (Array.isArray(node)) return node.flatMap(titlesIn)
  if (typeof node !== 'object' || node === null) return []
  if (node.type !== 'CallExpression') return Object.values(node).flatMap(titlesIn)
  const { names, tables } = calleeOf(node.callee)
  if (!['test', 'it', 'describe', 'step'].includes(names[0])) return Object.values(node).flatMap(titlesIn)
  if (names.some((name) => name === 'skip' || name === 'todo' || name === 'fails')) return []
  const [title, ...rest] = node.arguments
  const own = textsIn(title)
  // The rows of a table are in the titles that have a place for them.
  const rows = own.some((text) => /%[sj]|\$/.test(text)) ? textsIn(tables).filter((text) => /^K\d/.test(text)) : []
  return [...own, ...rows, ...titlesIn(rest)]
}

/** The texts that stand in a piece of code. */
function textsIn(node) {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateElement') return [node.value.cooked]
  return Object.values(node).flatMap(textsIn)
}

/** Where each number is cited. */
function citations() {
  const found = new Map()
  for (const file of filesWithTitles()) {
    const titles = titlesIn(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('.ts') ? 'ts' : 'js' }))
    for (const [, number] of titles.join('\n').matchAll(/\bK(\d+)\b/g))
      found.set(Number(number), [...(found.get(Number(number)) ?? []), relative(root, file)])
  }
  return found
}

const cited = citations()
const uncited = Object.entries(KINDS).filter(([number]) => !cited.has(Number(number)))
const unknown = [...cited].filter(([number]) => !(number in KINDS) && !(number in EXCUSED))
for (const [number, subject] of uncited) console.error(`K${number} (${subject}): the title of no test cites it`)
for (const [number, files] of unknown) console.error(`K${number} is no kind, and is cited in ${files[0]}`)
const { length } = Object.keys(KINDS)
console.log(
  `check-kinds: ${length - uncited.length} of ${length} kinds are cited, ${Object.keys(EXCUSED).length} are excused`,
)
process.exitCode = uncited.length + unknown.length > 0 ? 1 : 0
