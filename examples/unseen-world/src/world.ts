import type { Task } from '@harnesswright/core'
import type { World, WorldOptions, WorldTask } from '@harnesswright/plugin-worlds'
import { createDistractors } from '../../../packages/plugins/worlds/src/distractors.js'
import { readOptions } from '../../../packages/plugins/worlds/src/options.js'
import { createDraws } from '../../../packages/plugins/worlds/src/random.js'
import { checkHeights } from '../../../packages/plugins/worlds/src/wide-search-check.js'
import { SHEETS } from './constants.js'
import { drawInstance } from './instance.js'
import { writeFiles } from './write-files.js'

/**
 * Follow many short chains of thick documents: the first sheet of a tower is searched for, a withdrawn sheet names
 * its successor, and the sheet in force may answer for towers whose chains have not been walked yet.
 */
export const withdrawnSheets: World = {
  name: 'withdrawn-sheets',
  summary: 'Follow withdrawn survey sheets to those in force, which may cover several towers, and list the heights.',
  sizes: ['small', 'large'],
  stepLimit: SHEETS.stepLimit,
  generate(options: WorldOptions = {}): WorldTask {
    const { size, rng, distractors } = readOptions(options)
    const draws = createDraws('withdrawn-sheets', size, rng)
    const { asked, sites } = drawInstance(size, draws)
    const heights = new Map(sites.flatMap(({ towers }) => towers.map(({ name, metres }) => [name, metres])))
    const expected = new Map(asked.map((name) => [name, heights.get(name) ?? 0]))
    return {
      task: {
        id: `withdrawn-sheets-${size}-${rng}`,
        instruction: writeInstruction(asked),
        files: writeFiles(sites, SHEETS[size].chars, draws),
      } satisfies Task,
      tools: createDistractors(distractors),
      toolLatencyMs: {
        usual: SHEETS.otherMs,
        search_files: draws.integer(SHEETS.searchMs),
        read_file: draws.integer(SHEETS.openMs),
      },
      stepLimit: SHEETS.stepLimit,
      check: async ({ answer }) => checkHeights(expected, answer),
    }
  },
}

function writeInstruction(asked: readonly string[]): string {
  return [
    `A chart of the coast is to be corrected. It lacks the heights of ${asked.length} towers: ${asked.slice(0, -1).join(', ')} and ${asked.at(-1)}.`,
    'They are on survey sheets, in sheets/. Many sheets were withdrawn: such a sheet names the one that took its place,',
    'which may be withdrawn as well, and a height that it mentions no longer holds.',
    'A sheet in force gives the height of its tower, and may cover several towers of one site.',
    'The first sheet of a tower is in the register, in register/: a search for the name finds it.',
    'Answer with JSON of the form {"heights":{"Name":123}}, in metres, each of these towers once, and nothing else.',
  ].join(' ')
}
