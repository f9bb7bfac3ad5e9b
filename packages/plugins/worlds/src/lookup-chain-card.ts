import { LOOKUP_CHAIN } from './constants.js'
import type { Draws } from './random.js'

/** Somebody with a card. */
export interface Person {
  readonly name: string
  readonly path: string
  readonly badge: string
}

/** What one card tells: whose it is, who comes next, and whom it names beside. */
interface CardPlan {
  readonly person: Person
  readonly next: Person
  readonly others: readonly Person[]
}

/** A person of that name, with the path of the card. */
export function createPerson(first: string, last: string, badge: number): Person {
  return {
    name: `${first} ${last}`,
    path: `people/${first.toLowerCase()}-${last.toLowerCase()}.txt`,
    badge: `B-${badge}`,
  }
}

/** The text of a card: badge and next visit stand somewhere between remarks that name other people. */
export function writeCard({ person, next, others }: CardPlan, draws: Draws): string {
  const head = `Card of ${person.name}, ${draws.pick(LOOKUP_CHAIN.departments)}, room ${draws.integer(LOOKUP_CHAIN.rooms)}`
  const told = [
    `The badge of ${person.name} is ${person.badge}.`,
    `After ${person.name} comes ${next.name} (${next.path}).`,
  ]
  const chars = [head, ...told].join('\n').length
  const lines = drawRemarks(LOOKUP_CHAIN.cardChars - chars, others, draws)
  for (const line of told) lines.splice(draws.integer([0, lines.length]), 0, line)
  return `${[head, '', ...lines].join('\n')}\n`
}

function drawRemarks(chars: number, others: readonly Person[], draws: Draws): string[] {
  const lines: string[] = []
  let left = chars
  for (const remark of draws.shuffle(LOOKUP_CHAIN.remarks)) {
    if (left <= 0) break
    const line = fillIn(remark, draws.pick(others), draws)
    lines.push(line)
    left -= line.length + 1
  }
  return lines
}

function fillIn(remark: string, { name, path }: Person, draws: Draws): string {
  return remark
    .replace('{who}', name)
    .replace('{path}', path)
    .replace('{department}', draws.pick(LOOKUP_CHAIN.departments))
    .replace('{number}', String(draws.integer(LOOKUP_CHAIN.rooms)))
}
