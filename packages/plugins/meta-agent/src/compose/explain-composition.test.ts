import { createCatalog } from '@harnesswright/plugin-manifest'
import { expect, test } from 'vitest'
import { anEnvironment, bothSeeds, reactPackage } from '../../test/stand-ins.js'
import { aDiaryTask } from '../../test/tasks.js'
import { compose } from './compose.js'
import { explainComposition } from './explain-composition.js'

const env = anEnvironment()

test('a composition is told as features, rows, route, slots and identity', async () => {
  const composition = await compose(aDiaryTask(), { env, catalog: bothSeeds })

  const lines = explainComposition(composition)

  expect(lines[0]).toMatch(
    /^features: 3 files, 3 sources, about 8,700 tokens to observe \(27 % of the window\), .*nothing to write/,
  )
  expect(lines.filter((line) => line.startsWith('skipped'))).toHaveLength(3)
  expect(lines).toContainEqual(expect.stringMatching(/^applies large-volume: About 8,700 tokens/))
  expect(lines.slice(-6, -1)).toEqual([
    'route: rules, manifest large-volume',
    'memory: @harnesswright/seed-react#memory (fill 0.6)',
    'planning: none',
    'capability: all tools',
    'action: @harnesswright/seed-react#action (parallel true)',
  ])
  expect(lines.at(-1)).toBe(
    `manifest ${composition.manifestId.slice(7, 19)}, harness ${composition.harnessId.slice(7, 19)}`,
  )
})

test('what was refused is told with its code and place', async () => {
  const composition = await compose('Make 8 visits.', { env, catalog: createCatalog([reactPackage]) })

  expect(explainComposition(composition)).toContainEqual(
    expect.stringMatching(/^refused by validate: many-parts \(rules\): E_MANIFEST_UNKNOWN_MODULE at \/planning\/use: /),
  )
})

test('a list of modules in a slot is told in its order', async () => {
  const { memory, ...rest } = (await compose(aDiaryTask(), { env, catalog: bothSeeds })).manifest
  const twice = { ...rest, memory: [memory, memory].flat().filter((use) => use !== null) }

  const composition = await compose('Go.', { env, catalog: bothSeeds, proposer: { fixed: twice } })

  expect(explainComposition(composition)).toContain(
    'memory: @harnesswright/seed-react#memory (fill 0.6), then @harnesswright/seed-react#memory (fill 0.6)',
  )
})
