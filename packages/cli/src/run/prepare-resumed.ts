import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assemble, type Environment, type Journal, type Run } from '@harnesswright/core'
import { createFileJournal } from '@harnesswright/core/node'
import { reopenWorkspace, type TaskWorkspace } from '../task/task-workspace.js'
import { askerOf } from './ask-person.js'
import { EventTap } from './event-tap.js'
import { makeEnvironment } from './make-environment.js'
import { orBroken, type ResumedSession } from './open-resumed.js'
import { openTraces, type PreparedRun } from './prepare-run.js'
import { originOf } from './run-card.js'
import { JOURNAL } from './run-store.js'
import { skillsOf } from './skills-of.js'

/** Makes the harness of a run that goes on, in the workspace as the run left it. */
export async function prepareResumed(session: ResumedSession): Promise<PreparedRun> {
  const file = join(session.found.path, JOURNAL)
  // Without its beginning a journal is none.
  const journal = existsSync(file) ? await createFileJournal(file) : undefined
  const release = async (): Promise<void> => journal?.close()
  try {
    return { ...(await prepareWith(journal, session)), release }
  } catch (error) {
    await release()
    throw error
  }
}

async function prepareWith(
  journal: Journal | undefined,
  session: ResumedSession,
): Promise<Omit<PreparedRun, 'release'>> {
  const { found, card, snapshot, opening, manifest, answers, packages, place, screen } = session
  const workspace = reopenWorkspace({ place, task: opening.task, runDirectory: found.path })
  const tap = new EventTap()
  const env = await makeEnvironmentAgain(session, { workspace, tap, journal })
  const origin = originOf(card, found)
  const harness = await assemble(manifest, { catalog: packages.catalog, env, origin })
  // A harness that was mended may not have begun yet: then it is the run that failed which goes on.
  const earlier = (card.earlier ?? []).filter(({ harnessId }) => harnessId !== opening.harnessId)
  if (harness.harnessId !== opening.harnessId)
    screen.line('warning: the code of the packages is not that with which the run began')
  return {
    directory: found,
    workspace,
    env,
    chosen: {
      harness,
      route: card.route,
      origin,
      explanation: card.explanation,
      ...(card.composing === undefined ? {} : { composing: card.composing }),
      ...(earlier.length === 0 ? {} : { earlier }),
    },
    tap,
    traces: openTraces(session, found.path, 'a'),
    start: (signal): Promise<Run> => orBroken(found.path, () => harness.resume(snapshot, { signal, answers })),
  }
}

interface Surroundings {
  readonly workspace: TaskWorkspace
  readonly tap: EventTap
  readonly journal: Journal | undefined
}

async function makeEnvironmentAgain(
  session: ResumedSession,
  { workspace, tap, journal }: Surroundings,
): Promise<Environment> {
  const { card, limits, model, config, given, secrets } = session
  return makeEnvironment({
    model,
    config,
    limits,
    opened: workspace.opened,
    secrets,
    skills: await skillsOf(config, session.io.cwd),
    isRealTime: card.isRealTime,
    observe: tap.observe,
    ...(journal === undefined ? {} : { journal }),
    ...askerOf(session),
    ...(given.world === undefined ? {} : { world: given.world }),
  })
}
