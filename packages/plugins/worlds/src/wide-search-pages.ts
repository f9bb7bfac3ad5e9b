import type { TaskFile } from '@harnesswright/core'
import { WIDE_SEARCH } from './constants.js'
import type { Draws } from './random.js'

/** A tower, and the number of the survey sheet where its height is on one. */
export interface Tower {
  readonly name: string
  readonly metres: number
  readonly sheet: number | undefined
}

/** The pages of the gazetteer, then the survey sheets. */
export function writePages(towers: readonly Tower[], draws: Draws): readonly TaskFile[] {
  const count = Math.ceil(towers.length / WIDE_SEARCH.towersPerPage)
  const pages = Array.from({ length: count }, (_, index) => {
    const inside = towers.slice(index * WIDE_SEARCH.towersPerPage, (index + 1) * WIDE_SEARCH.towersPerPage)
    const sections = inside.map((tower) => writeSection(tower, draws))
    return { path: `pages/region-${index + 1}.md`, text: `# Towers, region ${index + 1}\n\n${sections.join('\n')}` }
  })
  const onSheets = towers.flatMap(({ sheet, metres }) => (sheet === undefined ? [] : [{ sheet, metres }]))
  const sheets = onSheets
    .sort((one, other) => one.sheet - other.sheet)
    .map(({ sheet, metres }) => ({ path: pathOfSheet(sheet), text: writeSheet(sheet, metres, draws) }))
  return [...pages, ...sheets]
}

function pathOfSheet(sheet: number): string {
  return `sheets/sheet-${sheet}.txt`
}

/** Every line names the tower, so that a search for it finds all of them. */
function writeSection({ name, metres, sheet }: Tower, draws: Draws): string {
  const lines = draws
    .shuffle(WIDE_SEARCH.remarks)
    .slice(0, WIDE_SEARCH.remarksPerTower)
    .map((remark) => fillIn(remark, draws).replaceAll('{tower}', name))
  const told =
    sheet === undefined
      ? `The height of ${name} is ${metres} m.`
      : `The height of ${name} is on survey sheet ${sheet} (${pathOfSheet(sheet)}).`
  lines.splice(draws.integer([0, lines.length]), 0, told)
  return `## ${name}\n\n${lines.join('\n')}\n`
}

/** A sheet does not name its tower: whoever searches for the tower finds the page that names the sheet. */
function writeSheet(sheet: number, metres: number, draws: Draws): string {
  const head = `Survey sheet ${sheet}, ${draws.integer(WIDE_SEARCH.years)}, copy`
  const told = `Survey sheet ${sheet} gives ${metres} m from the threshold to the top of the wall.`
  const lines: string[] = []
  for (let left = WIDE_SEARCH.sheetChars - head.length - told.length; left > 0; left -= (lines.at(-1)?.length ?? 0) + 1)
    lines.push(fillIn(draws.pick(WIDE_SEARCH.sheetRemarks), draws))
  lines.splice(draws.integer([0, lines.length]), 0, told)
  return `${[head, '', ...lines].join('\n')}\n`
}

function fillIn(remark: string, draws: Draws): string {
  return remark
    .replace('{year}', String(draws.integer(WIDE_SEARCH.years)))
    .replace('{number}', String(draws.integer(WIDE_SEARCH.metres)))
    .replace('{small}', String(draws.integer([2, 29])))
}
