import type { Task, TaskFile } from '@harnesswright/core'
import { FILE_LATENCY_MS, LOOKUP_CHAIN } from './constants.js'
import { createDistractors } from './distractors.js'
import { createPerson, type Person, writeCard } from './lookup-chain-card.js'
import { checkBadge } from './lookup-chain-check.js'
import { readOptions } from './options.js'
import { createDraws, type Draws } from './random.js'
import type { World, WorldOptions, WorldSize, WorldTask } from './world.js'

interface Instance {
  /** Those who are visited, in order. */
  readonly visited: readonly Person[]
  /** Those who are not. */
  readonly others: readonly Person[]
}

/** Go from card to card, each naming the next: strictly serial, and a count has to be kept. */
export const lookupChain: World = {
  name: 'lookup-chain',
  summary: 'Make a number of visits, each of which names the next, and answer with the badge of the last.',
  sizes: ['small', 'large'],
  stepLimit: LOOKUP_CHAIN.stepLimit,
  generate(options: WorldOptions = {}): WorldTask {
    const { size, rng, distractors } = readOptions(options)
    const draws = createDraws('lookup-chain', size, rng)
    const instance = drawInstance(size, draws)
    const badge = instance.visited.at(-1)?.badge ?? ''
    return {
      task: createTask(`lookup-chain-${size}-${rng}`, instance, draws),
      tools: createDistractors(distractors),
      toolLatencyMs: FILE_LATENCY_MS,
      stepLimit: LOOKUP_CHAIN.stepLimit,
      check: async ({ answer }) => checkBadge(badge, answer),
    }
  },
}

function drawInstance(size: WorldSize, draws: Draws): Instance {
  const { visits: range, others } = LOOKUP_CHAIN[size]
  const visits = draws.integer(range)
  const people = drawPeople(visits + draws.integer(others), draws)
  return { visited: people.slice(0, visits), others: people.slice(visits) }
}

/** No two people share a name or a badge. */
function drawPeople(count: number, draws: Draws): readonly Person[] {
  const { firstNames, lastNames, badges } = LOOKUP_CHAIN
  const names = firstNames.flatMap((first) => lastNames.map((last) => [first, last] as const))
  const used = new Set<number>()
  return draws
    .shuffle(names)
    .slice(0, count)
    .map(([first, last]) => {
      let badge = draws.integer(badges)
      while (used.has(badge)) badge = draws.integer(badges)
      used.add(badge)
      return createPerson(first, last, badge)
    })
}

function createTask(id: string, { visited, others }: Instance, draws: Draws): Task {
  const [first] = visited
  if (first === undefined) throw new Error('a chain has at least two visits')
  return {
    id,
    instruction: [
      `Make ${visited.length} visits, one after another, and find out the badge of the last.`,
      `Visit 1 is ${first.name} (${first.path}).`,
      'The card of everybody names who comes after; all cards lie in people/.',
      `Answer with the badge of visit ${visited.length} and nothing else.`,
    ].join(' '),
    files: writeCards({ visited, others }, draws),
  }
}

/** Every card names somebody who comes next, also that of the last visit: whoever does not count goes too far. */
function writeCards({ visited, others }: Instance, draws: Draws): readonly TaskFile[] {
  const cards = [...visited, ...others].map((person, index) => {
    const beside = others.filter((one) => one !== person)
    const next = visited[index + 1] ?? draws.pick(beside)
    return { path: person.path, text: writeCard({ person, next, others: beside }, draws) }
  })
  return cards.sort((one, other) => (one.path < other.path ? -1 : 1))
}
