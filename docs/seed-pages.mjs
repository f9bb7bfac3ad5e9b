// Plugin of typedoc: a page for each seed, written from its card and from what it says of itself, so that the site has what the
// packages have. The pages are made at each build and are no part of the repository.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const seeds = join(import.meta.dirname, '../packages/seeds')
const pages = join(import.meta.dirname, 'seeds')

/** Called by typedoc before it reads documents. */
export function load() {
  rmSync(pages, { recursive: true, force: true })
  mkdirSync(pages)
  const withCard = readdirSync(seeds).filter((folder) => readdirSync(join(seeds, folder)).includes('CARD.md'))
  for (const folder of withCard) writeFileSync(join(pages, `${folder}.md`), pageOf(join(seeds, folder)))
}

function pageOf(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8')
  const described = JSON.parse(read('harnesswright.json'))
  const manifest = JSON.parse(read('manifest.json'))
  const card = read('CARD.md')
  const [, title] = /^# (.*)$/m.exec(card)
  return `---
title: ${JSON.stringify(title)}
group: Documents
category: Seeds
---

${card.trim()}

## What is in it

Package \`${described.name}\`, authority \`${described.authority}\`, protocol ${described.protocol}.

${Object.entries(described.modules)
  .map(([name, module]) => moduleText(name, module))
  .join('\n')}
## Its manifest

${manifest.description}

\`\`\`json
${read('manifest.json').trim()}
\`\`\`
`
}

/** One module: its slot, what it does, its options and its prompts. */
function moduleText(name, { slot, summary, options, prompts, requires, provides }) {
  const rows = Object.entries(options.properties ?? {}).map(
    ([option, { description, default: value, ...schema }]) =>
      `| \`${option}\` | ${valuesOf(schema)} | ${value === undefined ? '' : `\`${JSON.stringify(value)}\``} | ${cell(description ?? '')} |`,
  )
  const table = ['| option | values | default | meaning |', '| --- | --- | --- | --- |', ...rows, '']
  const lists = [
    ['Prompts', Object.keys(prompts)],
    ['Requires', requires],
    ['Provides', provides],
  ].filter(([, names]) => names.length > 0)
  return [
    `### \`#${name}\` (${slot})`,
    '',
    summary,
    '',
    ...(rows.length > 0 ? table : ['No options.', '']),
    ...lists.map(([label, names]) => `${label}: ${names.map((one) => `\`${one}\``).join(', ')}.\n`),
  ].join('\n')
}

/** What an option may be, in a few words. */
function valuesOf({ type, enum: values, minimum, maximum, anyOf, items }) {
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : valuesOf(items)}`
  const bounds = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`]
  return [type ?? 'anything', ...bounds].filter((word) => word !== '').join(' ')
}

/** A text that stands in a cell of a table. */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
