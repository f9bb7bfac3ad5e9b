import type { Environment, Task } from '@harnesswright/core'
import type { WorldTask } from '@harnesswright/plugin-worlds'
import { askerOf } from '../run/ask-person.js'
import type { chooseHarness } from '../run/choose-harness.js'
import { EventTap } from '../run/event-tap.js'
import { makeEnvironment } from '../run/make-environment.js'
import { type Begun, cardOf, writeCard } from '../run/run-card.js'
import type { RunDirectory } from '../run/run-store.js'
import { skillsOf } from '../run/skills-of.js'
import type { TaskWorkspace } from '../task/task-workspace.js'
import type { ChatSession } from './chat-session.js'
import { writeChat } from './chat-store.js'
import { SwitchedJournal } from './switched-journal.js'

/** Where a chat takes place. */
export interface ChatPlace {
  readonly directory: RunDirectory
  readonly workspace: TaskWorkspace
  readonly isRealTime: boolean
  readonly world: WorldTask | undefined
}

/** What the runs of a chat have in common. */
export interface Surroundings {
  readonly env: Environment
  readonly tap: EventTap
  readonly journal: SwitchedJournal
}

/** One environment for all turns: each run has a journal of its own, and all are one session to the model. */
export async function surround(
  session: ChatSession,
  { directory, workspace, isRealTime, world }: ChatPlace,
): Promise<Surroundings> {
  const { io, config, model, composer, limits, secrets } = session
  const tap = new EventTap()
  const journal = new SwitchedJournal()
  const env = makeEnvironment({
    model,
    ...(composer === undefined ? {} : { metaModel: composer.made.model }),
    config,
    limits,
    opened: workspace.opened,
    secrets,
    skills: await skillsOf(config, io.cwd),
    isRealTime,
    observe: tap.observe,
    journal,
    session: directory.id,
    ...askerOf(session.asker),
    ...(world === undefined ? {} : { world }),
  })
  return { env, tap, journal }
}

/** What the harness of a chat is chosen from. */
export function sourcesOf(session: ChatSession, env: Environment, task: Task): Parameters<typeof chooseHarness>[0] {
  const { args, io, packages, composer } = session
  return { args, cwd: io.cwd, task, env, packages, ...(composer === undefined ? {} : { composer }) }
}

/** Writes what it takes to go on with a chat. */
export function keepCards(directory: RunDirectory, secrets: readonly string[], begun: Begun): void {
  const { manifest, harnessId } = begun.chosen.harness
  writeChat(directory.path, { version: 1, manifest, harnessId }, secrets)
  writeCard(directory.path, cardOf(begun), secrets)
}
