import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { FORMS, MECHANICS, PROFILES, PROFILES_DATE, PROFILES_VERSION } from '../src/profiles.js'

// A parameter that changes makes every published figure wrong: then raise PROFILES_VERSION and its date, rerun the tables,
// and pin anew.
test('the profiles of version 1 are these', () => {
  const digest = createHash('sha256')
    .update(JSON.stringify([PROFILES, MECHANICS]))
    .digest('hex')
    .slice(0, 16)

  expect([PROFILES_VERSION, PROFILES_DATE, digest]).toEqual(['1', '2026-11-30', '440281ac8e968597'])
})

test('what shapes the replies to memories, planners, judges and orchestrators in version 1 is this', () => {
  expect([PROFILES_VERSION, FORMS]).toEqual([
    '1',
    {
      atomic: { goals: 6, fill: 0.6, wrong: 0.03 },
      judge: { support: 1.5, looks: 8 },
      fold: { rawTokens: 8_000, share: 0.25 },
      keptEntries: 2,
      looksAtOnce: 5,
      tries: 2,
    },
  ])
})
