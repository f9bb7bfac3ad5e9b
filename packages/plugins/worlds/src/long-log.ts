import type { Task } from '@harnesswright/core'
import { FILE_LATENCY_MS, LONG_LOG } from './constants.js'
import { createDistractors } from './distractors.js'
import { checkIncidents } from './long-log-check.js'
import { type Incident, writePart } from './long-log-part.js'
import { readOptions } from './options.js'
import { createDraws, type Draws } from './random.js'
import type { World, WorldOptions, WorldSize, WorldTask } from './world.js'

/** Read every part of a log and list its incidents: far more observations than fit a window. */
export const longLog: World = {
  name: 'long-log',
  summary: 'Read every part of a long log, one after another, and list all incidents with their machine and minutes.',
  sizes: ['small', 'large'],
  stepLimit: LONG_LOG.stepLimit,
  generate(options: WorldOptions = {}): WorldTask {
    const { size, rng, distractors } = readOptions(options)
    const draws = createDraws('long-log', size, rng)
    const parts = drawParts(size, draws)
    const incidents = drawIncidents(size, parts, draws)
    return {
      task: createTask(`long-log-${size}-${rng}`, parts, incidents, draws),
      tools: createDistractors(distractors),
      toolLatencyMs: FILE_LATENCY_MS,
      stepLimit: LONG_LOG.stepLimit,
      check: async ({ answer }) => checkIncidents(incidents, answer),
    }
  },
}

function drawParts(size: WorldSize, draws: Draws): number {
  const { parts, draws: count } = LONG_LOG[size]
  return Math.min(...Array.from({ length: count }, () => draws.integer(parts)))
}

function drawIncidents(size: WorldSize, parts: number, draws: Draws): readonly Incident[] {
  const count = draws.integer(LONG_LOG[size].incidents)
  const first = draws.integer([101, 799])
  return Array.from({ length: count }, () => draws.integer([1, parts]))
    .sort((one, other) => one - other)
    .map((part, index) => ({
      id: `I-${first + index}`,
      part,
      machine: `${draws.pick(LONG_LOG.machines)} ${draws.integer([1, 9])}`,
      minutes: draws.integer(LONG_LOG.minutes),
    }))
}

function createTask(id: string, parts: number, incidents: readonly Incident[], draws: Draws): Task {
  const width = Math.max(2, String(parts).length)
  const pathOf = (part: number): string => `log/part-${String(part).padStart(width, '0')}.txt`
  const files = Array.from({ length: parts }, (_, index) => {
    const part = index + 1
    const inside = incidents.filter((incident) => incident.part === part)
    return { path: pathOf(part), text: writePart({ part, parts, incidents: inside }, draws) }
  })
  return {
    id,
    instruction: [
      `The plant log lies in ${parts} parts, ${pathOf(1)} to ${pathOf(parts)}.`,
      'Read all of it and list every incident: a machine that stood still, with the minutes it did.',
      'Answer with JSON of the form {"incidents":[{"id":"I-100","machine":"pump 3","minutes":12}]},',
      'each incident of the log once, and nothing else.',
    ].join(' '),
    files,
  }
}
