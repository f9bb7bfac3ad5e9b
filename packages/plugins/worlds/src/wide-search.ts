import type { Task, TaskFile } from '@harnesswright/core'
import { FILE_LATENCY_MS, WIDE_SEARCH } from './constants.js'
import { createDistractors } from './distractors.js'
import { readOptions } from './options.js'
import { createDraws, type Draws } from './random.js'
import { checkHeights } from './wide-search-check.js'
import { type Tower, writePages } from './wide-search-pages.js'
import type { World, WorldOptions, WorldSize, WorldTask } from './world.js'

interface Instance {
  /** Every tower of the gazetteer, in its order. */
  readonly towers: readonly Tower[]
  /** Those that are asked for, in the order of the question. */
  readonly asked: readonly Tower[]
}

/** Find many facts that have nothing to do with one another: searches are slow, and none waits for another. */
export const wideSearch: World = {
  name: 'wide-search',
  summary: 'Search a gazetteer for the heights of many towers, some of which are on a further sheet, and list them.',
  sizes: ['small', 'large'],
  stepLimit: WIDE_SEARCH.stepLimit,
  generate(options: WorldOptions = {}): WorldTask {
    const { size, rng, distractors } = readOptions(options)
    const draws = createDraws('wide-search', size, rng)
    const instance = drawInstance(size, draws)
    const expected = new Map(instance.asked.map(({ name, metres }) => [name, metres]))
    return {
      task: createTask(`wide-search-${size}-${rng}`, instance, writePages(instance.towers, draws)),
      tools: createDistractors(distractors),
      toolLatencyMs: {
        usual: FILE_LATENCY_MS,
        search_files: draws.integer(WIDE_SEARCH.searchMs),
        read_file: WIDE_SEARCH.pageMs,
      },
      stepLimit: WIDE_SEARCH.stepLimit,
      check: async ({ answer }) => checkHeights(expected, answer),
    }
  },
}

function drawInstance(size: WorldSize, draws: Draws): Instance {
  const { towers: range, others } = WIDE_SEARCH[size]
  const asked = draws.integer(range)
  const names = draws.shuffle(WIDE_SEARCH.names).slice(0, asked + draws.integer(others))
  const [first, last] = WIDE_SEARCH.sheets
  const sheets = draws.shuffle(Array.from({ length: last - first + 1 }, (_, index) => first + index))
  const towers = names.map((name, index) => ({
    name,
    metres: draws.integer(WIDE_SEARCH.metres),
    sheet: draws.integer([1, 100]) <= WIDE_SEARCH.onSheet ? sheets[index] : undefined,
  }))
  return { towers: draws.shuffle(towers), asked: towers.slice(0, asked) }
}

function createTask(id: string, { asked, towers }: Instance, files: readonly TaskFile[]): Task {
  const names = asked.map(({ name }) => name)
  const pages = Math.ceil(towers.length / WIDE_SEARCH.towersPerPage)
  return {
    id,
    instruction: [
      `List the heights of ${names.length} towers: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
      `A gazetteer lies in pages/region-1.md to pages/region-${pages}.md; a search for the name of a tower finds what it says.`,
      'Of some towers it names a survey sheet, in sheets/, on which the height is.',
      'Answer with JSON of the form {"heights":{"Name":123}}, in metres, each of the towers once, and nothing else.',
    ].join(' '),
    files,
  }
}
