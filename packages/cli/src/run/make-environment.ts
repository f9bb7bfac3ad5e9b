import { createEnvironment, type Environment, type Model, type Skill, type Tool } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { codecs } from '@harnesswright/plugin-codecs'
import type { OpenedWorkspace } from '@harnesswright/plugin-tools-workspace'
import { type WorldTask, withLatency } from '@harnesswright/plugin-worlds'
import { type LimitSources, limitsOf } from './host-limits.js'

/** What an environment is made from. */
export interface EnvironmentParts extends LimitSources {
  readonly model: Model
  readonly opened: OpenedWorkspace
  readonly world?: WorldTask
  readonly secrets: readonly string[]
  /** Default: none. */
  readonly skills?: readonly Skill[]
  /** Simulated time is slept. */
  readonly isRealTime: boolean
  readonly observe?: Environment['observe']
  readonly ask?: Environment['ask']
  readonly journal?: Environment['journal']
  /** Name of the session in which a model sees all runs, so that it caches what they have in common. Default: one for each run. */
  readonly session?: string
}

/** Everything that a run may touch. Time is simulated with a simulated model, unless it is to take real time. */
export function makeEnvironment(parts: EnvironmentParts): Environment {
  const { model, config, opened, secrets, skills = [], isRealTime, observe, ask, journal, session } = parts
  return createEnvironment({
    model,
    tools: toolsOf(parts),
    workspaces: opened.workspaces,
    workspace: opened.id,
    limits: limitsOf(parts),
    secrets,
    skills,
    hostOptions: config.options,
    codecs,
    ...(model.simulated === true && !isRealTime ? { clock: createVirtualClock() } : {}),
    ...(observe === undefined ? {} : { observe }),
    ...(ask === undefined ? {} : { ask }),
    ...(journal === undefined ? {} : { journal }),
    ...(session === undefined ? {} : { newId: () => session }),
  })
}

/** The tools of the workspace and of the world; they have the latency of the world where that is simulated or wanted. */
function toolsOf({ model, opened, world, isRealTime }: EnvironmentParts): readonly Tool[] {
  if (world === undefined) return opened.tools
  if (model.simulated === true || isRealTime)
    return [...opened.tools.map((tool) => withLatency(tool, world.toolLatencyMs)), ...world.tools]
  return [...opened.tools, ...world.tools.map((tool) => withLatency(tool, 0))]
}
