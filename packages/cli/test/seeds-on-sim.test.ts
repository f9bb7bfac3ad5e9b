import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnvironment, type Json, type Model } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { type BenchHarness, benchWorlds } from '@harnesswright/plugin-bench'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { withLatency, worlds } from '@harnesswright/plugin-worlds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog } from './support/slot-mixtures.js'

// The simulated model knows what every seed asks it for: it refuses no request, and fills no property of a schema without
// knowing what is meant, but for those that are written down here.

const SEEDS = readdirSync(new URL('../../seeds/', import.meta.url))
const WORLDS = worlds.flatMap(({ name, sizes }) => sizes.map((size) => `${name}:${size}`))

/** What the model was asked for, by purpose, and what it could not do. */
class Asked {
  readonly purposes = new Map<string, number>()
  readonly refusals: string[] = []
  readonly unfilled = new Set<string>()

  /** The model, with everything that it is asked noted down here. */
  watching(model: Model): Model {
    return {
      ...model,
      generate: async (request, options) => {
        const { purpose } = request
        this.purposes.set(purpose, (this.purposes.get(purpose) ?? 0) + 1)
        try {
          const response = await model.generate(request, options)
          const { unfilled = [] } = (response.metadata ?? {}) as { readonly unfilled?: readonly Json[] }
          for (const path of unfilled) this.unfilled.add(`${purpose} ${String(path).split('/').at(-1)}`)
          return response
        } catch (error) {
          const code = (error as { readonly code?: string }).code ?? String(error)
          if (code !== 'E_MODEL_CONTEXT_OVERFLOW') this.refusals.push(`${purpose}: ${code}`)
          throw error
        }
      },
    }
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'seeds-on-sim-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Enough for every request that a seed makes to be made: whole runs of large logs would be more of the same. */
const STEPS = 25

/** A seed on one task of every world, in both sizes. */
async function onEveryWorld(harness: BenchHarness, asked: Asked) {
  const model = asked.watching(createSimModel({ profile: 'sim-mid' }))
  return await benchWorlds({
    directory: join(folder, harness.name),
    harnesses: [harness],
    worlds: WORLDS,
    rngs: 1,
    catalog,
    model,
    environmentOf: ({ opened, world }) =>
      createEnvironment({
        model,
        tools: [...opened.tools.map((tool) => withLatency(tool, world.toolLatencyMs)), ...world.tools],
        clock: createVirtualClock(),
        workspaces: opened.workspaces,
        workspace: opened.id,
        limits: { steps: Math.min(world.stepLimit, STEPS), tokens: 20_000_000 },
      }),
  })
}

/** For what a seed asks beside acting, on these tasks: without it a seed would not be what it is. */
const PURPOSES: Readonly<Record<string, readonly string[]>> = {
  agentfold: ['plan'],
  aggagent: ['judge'],
  deepagent: ['summarise'],
  'flash-searcher': ['plan', 'review'],
  gam: ['plan', 'abstract', 'research'],
  hiagent: ['summarise'],
  memobrain: ['memorise', 'recall'],
  oagent: ['plan', 'judge'],
  'plan-and-execute': ['plan', 'review'],
  react: [],
  recursive: [],
  resum: ['plan', 'review', 'summarise'],
  roma: ['atomise', 'plan', 'aggregate'],
}

/** What it is asked and does not judge: whether the way to a goal has failed. It says that none has. */
const UNJUDGED = ['review pathFailed']

test('there are thirteen seeds, and eight worlds with their sizes', () => {
  expect(SEEDS.toSorted()).toEqual(Object.keys(PURPOSES))
  expect([SEEDS.length, WORLDS.length]).toEqual([13, 8])
})

describe('the simulated model answers every request', () => {
  test.each(SEEDS)(
    'of %s in every world',
    async (name) => {
      const manifest = readFileSync(new URL(`../../seeds/${name}/manifest.json`, import.meta.url), 'utf8')
      const asked = new Asked()
      const rows = await onEveryWorld({ name, manifest }, asked)

      expect(asked.refusals).toEqual([])
      expect([...asked.unfilled].filter((what) => !UNJUDGED.includes(what))).toEqual([])
      expect(rows.filter(({ status }) => status === 'failed')).toEqual([])
      expect(rows).toHaveLength(WORLDS.length)
      expect([...asked.purposes.keys()]).toEqual(expect.arrayContaining(['act', ...(PURPOSES[name] as string[])]))
    },
    300_000,
  )
})
