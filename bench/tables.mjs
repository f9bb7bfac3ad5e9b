// Results as markdown: ratios, as times of one machine say nothing of another.

/** A ratio of medians, and in brackets that of the lowest values, which other work on the machine disturbs least. */
function ratio(rows, base, field) {
  if (rows.length === 0) return '–'
  const of = (pick) => (pick(rows.map((row) => row[field])) / pick(base.map((row) => row[field]))).toFixed(2)
  return `${of(median)} (${of(lowest)})`
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

const lowest = (values) => Math.min(...values)

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Names of the loops in the order in which they were measured. */
const namesOf = (results) => [...new Set(Object.values(results).flatMap((byLoop) => Object.keys(byLoop)))]

const BASE = 'raw openai'

function callsTable(results, when = 'in the first runs of a process') {
  const titles = Object.keys(results)
  const row = (name) => [name, ...titles.map((title) => ratio(results[title][name], results[title][BASE], 'cpuMs'))]
  return `CPU per model call ${when}, in units of the bare \`openai\` loop\n\n${table(['loop', ...titles], namesOf(results).map(row))}`
}

/** What a loop costs above its floor, per call, at 100 steps against 20: 1 when a step costs the same however many there were. */
function growthTable(results) {
  const titles = Object.keys(results)
  const above = (title, name, pick) => {
    const floor = name === 'kernel on fetch' ? 'raw fetch' : BASE
    return pick(results[title][name].map((row) => row.cpuMs)) - pick(results[title][floor].map((row) => row.cpuMs))
  }
  const grown = (name, pick) => (above('100 steps', name, pick) / above('20 steps', name, pick)).toFixed(2)
  const isWhole = (name) => titles.every((title) => results[title][name].length > 0)
  const row = (name) => [
    name,
    ...titles.map((title) => ratio(results[title][name], results[title][BASE], 'cpuMs')),
    name.startsWith('raw') || !isWhole(name) ? '–' : `${grown(name, median)} (${grown(name, lowest)})`,
  ]
  const head = ['loop', ...titles, 'above the floor, 100 to 20 steps']
  return `CPU per model call by length of the run, in units of the bare \`openai\` loop\n\n${table(head, namesOf(results).map(row))}`
}

function manyTable(results) {
  const [few, all] = Object.keys(results)
  const row = (name) => [
    name,
    ratio(results[few][name], results[few]['raw fetch'], 'grownBytes'),
    ratio(results[few][name], results[few][BASE], 'cpuMs'),
    ratio(results[all][name], results[all][BASE], 'cpuMs'),
    ratio(results[all][name], results[all][BASE], 'stallMs'),
    [...results[few][name], ...results[all][name]].reduce((sum, { failed }) => sum + failed, 0),
  ]
  const head = [
    'loop',
    `growth of RSS, ${few} (raw fetch = 1)`,
    `CPU per call, ${few}`,
    `CPU per call, ${all}`,
    `longest stall, ${all}`,
    'runs that failed',
  ]
  return `Many runs of 20 steps at once, in units of the bare \`openai\` loop where nothing else is said\n\n${table(head, namesOf(results).map(row))}`
}

function leaksTable(results) {
  const [byLoop] = Object.values(results)
  const change = (rows, field) => median(rows.map(({ early, late }) => late[field] - early[field]))
  const row = ([name, rows]) => [
    name,
    median(rows.map(({ early, late }) => late.heapBytes / early.heapBytes)).toFixed(3),
    change(rows, 'handles'),
    change(rows, 'listeners'),
  ]
  const whole = Object.entries(byLoop).filter(([, rows]) => rows.length > 0)
  const head = ['loop', 'heap, to that after 200', 'more handles', 'more listeners']
  return `After 1,000 runs of 20 steps, 20 at once\n\n${table(head, whole.map(row))}`
}

function importsTable(results) {
  const [byLoop] = Object.values(results)
  const base = byLoop['package ai alone'] ?? byLoop[BASE]
  const of = byLoop['package ai alone'] === undefined ? 'that of the package `openai`' : 'that of the package `ai`'
  const row = ([name, rows]) => [name, ratio(rows, base, 'ms')]
  return `Time to import in a fresh process, to ${of}\n\n${table(['packages of', 'ratio'], Object.entries(byLoop).map(row))}`
}

const TABLES = {
  calls: callsTable,
  warm: (results) => callsTable(results, 'after 250 runs'),
  growth: growthTable,
  many: manyTable,
  leaks: leaksTable,
  imports: importsTable,
}

/** All tables of what was measured, by plan, row and loop. */
export function renderTables(results) {
  return Object.entries(results)
    .map(([plan, byRow]) => TABLES[plan](byRow))
    .join('\n\n')
}
