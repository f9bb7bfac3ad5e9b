import type { Draws } from '../../../packages/plugins/worlds/src/random.js'
import { SHEETS, TOWERS } from './constants.js'

/** A tower, and the sheets that lead to the one in force. */
export interface Tower {
  readonly name: string
  readonly metres: number
  /** Numbers of withdrawn sheets, each of which names the next, the last of them the sheet in force. */
  readonly withdrawn: readonly number[]
}

/** Towers whose heights are on one sheet in force. */
export interface Site {
  readonly sheet: number
  readonly towers: readonly Tower[]
}

/** One task, before it is written down. */
export interface Instance {
  /** Sites of the towers that are asked for, then those of the others. */
  readonly sites: readonly Site[]
  /** Names in the order of the question. */
  readonly asked: readonly string[]
}

/** Draws what a task is about. */
export function drawInstance(size: 'small' | 'large', draws: Draws): Instance {
  const { towers, others, withdrawn } = SHEETS[size]
  const count = draws.integer(towers)
  const names = draws.shuffle(TOWERS).slice(0, count + draws.integer(others))
  const asked = names.slice(0, count)
  const numbers = drawNumbers(draws)
  const drawTower = (name: string): Tower => {
    const metres = draws.integer(SHEETS.metres)
    return { name, metres, withdrawn: numbers.splice(0, draws.integer(withdrawn)) }
  }
  const drawSites = (members: readonly string[]): readonly Site[] =>
    cut(draws.shuffle(members), draws).map((site) => ({
      sheet: numbers.pop() ?? 0,
      towers: site.map(drawTower),
    }))
  const sites = [...drawSites(asked), ...drawSites(names.slice(count))]
  return { sites, asked }
}

function drawNumbers(draws: Draws): number[] {
  const [first, last] = SHEETS.numbers
  return draws.shuffle(Array.from({ length: last - first + 1 }, (_, index) => first + index))
}

/** Neighbours together, one to three of them. */
function cut(names: readonly string[], draws: Draws): readonly (readonly string[])[] {
  const sites: (readonly string[])[] = []
  for (let from = 0; from < names.length; from += sites.at(-1)?.length ?? 0)
    sites.push(names.slice(from, from + draws.integer(SHEETS.site)))
  return sites
}
