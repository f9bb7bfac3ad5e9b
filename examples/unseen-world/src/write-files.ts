import type { TaskFile } from '@harnesswright/core'
import type { Draws } from '../../../packages/plugins/worlds/src/random.js'
import { INTRODUCED, OUTDATED, type Range, REGISTERED, REMARKS, SHEETS } from './constants.js'
import type { Site, Tower } from './instance.js'

function pathOfSheet(sheet: number): string {
  return `sheets/sheet-${sheet}.txt`
}

/** The sentence that names the sheet of a tower. */
function tellSheet({ name }: Tower, sheet: number): string {
  return `The height of ${name} is on survey sheet ${sheet} (${pathOfSheet(sheet)}).`
}

/** The register, then all sheets by their number. */
export function writeFiles(sites: readonly Site[], chars: Range, draws: Draws): readonly TaskFile[] {
  const sheets = sites.flatMap((site) => [
    { sheet: site.sheet, text: writeInForce(site, chars, draws) },
    ...site.towers.flatMap((tower) => writeWithdrawn(tower, site, { chars, draws })),
  ])
  const files = sheets
    .sort((one, other) => one.sheet - other.sheet)
    .map(({ sheet, text }) => ({ path: pathOfSheet(sheet), text }))
  return [...writeRegister(sites, draws), ...files]
}

/** Pages of the register: every line names its tower, so that a search for the name finds all of them. */
function writeRegister(sites: readonly Site[], draws: Draws): readonly TaskFile[] {
  const entries = draws.shuffle(sites.flatMap((site) => site.towers.map((tower) => writeEntry(tower, site, draws))))
  const pages = Math.ceil(entries.length / SHEETS.towersPerPage)
  return Array.from({ length: pages }, (_, index) => {
    const inside = entries.slice(index * SHEETS.towersPerPage, (index + 1) * SHEETS.towersPerPage)
    return { path: `register/page-${index + 1}.md`, text: `# Register, page ${index + 1}\n\n${inside.join('\n')}` }
  })
}

function writeEntry(tower: Tower, site: Site, draws: Draws): string {
  const lines = REGISTERED.map((line) => fillIn(line, tower, draws))
  lines.splice(draws.integer([0, lines.length]), 0, tellSheet(tower, tower.withdrawn[0] ?? site.sheet))
  return `## ${tower.name}\n\n${lines.join('\n')}\n`
}

/** What a sheet is written with. */
interface Paper {
  readonly chars: Range
  readonly draws: Draws
}

/** Each withdrawn sheet of a tower gives a height that no longer holds, and names the sheet that took its place. */
function writeWithdrawn(
  tower: Tower,
  { sheet: inForce }: Site,
  { chars, draws }: Paper,
): readonly { readonly sheet: number; readonly text: string }[] {
  return tower.withdrawn.map((sheet, index) => {
    const told = `This sheet is withdrawn. ${tellSheet(tower, tower.withdrawn[index + 1] ?? inForce)}`
    const paragraph = writeParagraph(fillIn(draws.pick(OUTDATED), tower, draws), told, draws)
    return { sheet, text: writeSheet(`Survey sheet ${sheet}, withdrawn`, [paragraph], { chars, draws }) }
  })
}

/** The sheet in force has a paragraph for each tower of its site. */
function writeInForce({ sheet, towers }: Site, chars: Range, draws: Draws): string {
  const paragraphs = towers.map((tower) =>
    writeParagraph(
      fillIn(draws.pick(INTRODUCED), tower, draws),
      `The height of ${tower.name} is ${tower.metres} m.`,
      draws,
    ),
  )
  return writeSheet(`Survey sheet ${sheet}, in force`, paragraphs, { chars, draws })
}

/** The paragraphs somewhere between those that tell nothing. */
function writeSheet(head: string, told: readonly string[], { chars, draws }: Paper): string {
  const lines: string[] = []
  let left = draws.integer(chars) - head.length - told.join('\n\n').length
  for (; left > 0; left -= (lines.at(-1)?.length ?? 0) + 2) lines.push(drawRemarks(SHEETS.paragraphChars, draws))
  for (const paragraph of told) lines.splice(draws.integer([0, lines.length]), 0, paragraph)
  return `${[head, ...lines].join('\n\n')}\n`
}

/**
 * A paragraph is one line. What it tells stands well behind the first mention of the tower, so that a search, which shows
 * the beginning of a long line, shows that there is something about it, and not what.
 */
function writeParagraph(opening: string, told: string, draws: Draws): string {
  const before = drawRemarks(SHEETS.leadChars, draws)
  const after = drawRemarks(SHEETS.paragraphChars - before.length - told.length, draws)
  return [opening, before, told, after].join(' ').trimEnd()
}

/** Remarks until they are so long, each once. */
function drawRemarks(chars: number, draws: Draws): string {
  const remarks: string[] = []
  let left = chars
  for (const remark of draws.shuffle(REMARKS)) {
    if (left <= 0) break
    remarks.push(fillIn(remark, undefined, draws))
    left -= remark.length + 1
  }
  return remarks.join(' ')
}

function fillIn(text: string, tower: Tower | undefined, draws: Draws): string {
  return text
    .replaceAll('{tower}', tower?.name ?? '')
    .replaceAll('{metres}', () => String(draws.integer(SHEETS.metres)))
    .replaceAll('{year}', () => String(draws.integer(SHEETS.years)))
    .replaceAll('{number}', () => String(draws.integer(SHEETS.numbers)))
    .replaceAll('{small}', () => String(draws.integer(SHEETS.smallNumbers)))
}
