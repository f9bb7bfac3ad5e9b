import { defineModule, type Json, type Manifest } from '@harnesswright/core'
import { seedConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as react from '@harnesswright/seed-react'
import { describe, expect, test } from 'vitest'
import description from '../harnesswright.json' with { type: 'json' }
import manifest from '../manifest.json' with { type: 'json' }

const LONG = { timeout: 60_000 }
type Options = Readonly<Record<string, Json>>

/** The resume law for this seed, with options of its modules and with other modules in their places. */
function law(
  options: { readonly memory?: Options; readonly action?: Options },
  modules: object = react,
): Promise<void> {
  const own = definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react, ...modules } })
  const changed = {
    ...manifest,
    memory: { ...manifest.memory, with: options.memory ?? {} },
    action: { ...manifest.action, with: options.action ?? {} },
  } as Manifest
  const cases = seedConformance({
    manifest: changed,
    description,
    fromCode: own.description,
    catalog: createCatalog([own]),
  } as never)
  const [found] = cases.filter(({ name }) => name.startsWith('SEED-5'))
  return found?.run() ?? Promise.reject(new Error('the kit has no resume law'))
}

describe('the seed goes on from every point at which something was durable, as if nothing had happened', () => {
  test.each([
    [{}],
    [{ memory: { faithful: true } }],
    [{ memory: { fill: 0.1 } }],
    [{ memory: { fill: 0.3 }, action: { parallel: false } }],
    [{ action: { faithful: true } }],
  ])('with %j', LONG, (options) => law(options as never))
})

describe('the law finds a memory', () => {
  let looks = 0
  const forgetful = defineModule({
    slot: 'memory',
    summary: 'Counts its looks outside of its state.',
    view: (ctx) => ({ messages: [...ctx.view.messages, { role: 'user', content: `look ${looks++}` }] }),
  })
  const dated = defineModule({
    slot: 'memory',
    summary: 'Says whether the run goes on.',
    view: (ctx) => ({ messages: [...ctx.view.messages, { role: 'user', content: ctx.resumed ? 'again' : 'first' }] }),
  })

  test.each([
    ['that keeps something outside of its state', forgetful],
    ['that shows whether the run goes on', dated],
  ])('%s', LONG, async (_, memory) => {
    await expect(law({}, { memory })).rejects.toThrow(/faults at \d+ points: from point \d+ of \d+/)
  })
})
