import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

/** A run of the seed react on a small world, with limits. */
const runWithin = (limit: string) =>
  box.run(['run', '--world', 'quotes', '--rng', '7', '--seed', 'react', '--json', '--limit', limit])

const ADVICE = /^warning: the limit (tokens|usd)=\S+ lets no request through, as the first needs \1=([\d.]+)\. /m

describe('a limit that lets no request through', () => {
  test.each([
    ['tokens', 'tokens=100', 1],
    ['usd', 'usd=0.0001', 1e-6],
  ])('of %s is told with the least that does, and with that there is a first request', async (name, limit, part) => {
    const held = await runWithin(limit)
    const least = Number(ADVICE.exec(held.stderr)?.[2])
    const [enough, tooLittle] = [
      await runWithin(`${name}=${least}`),
      await runWithin(`${name}=${Number((least - part).toFixed(6))}`),
    ]

    expect(held.code).toBe(5)
    expect(JSON.parse(held.stdout)).toMatchObject({
      status: 'limit',
      reason: name,
      modelCalls: 0,
      warnings: [expect.stringContaining(`needs ${name}=${least}`)],
    })
    expect((JSON.parse(enough.stdout) as { modelCalls: number }).modelCalls).toBeGreaterThan(0)
    expect(enough.stderr).not.toMatch(ADVICE)
    expect(tooLittle.stderr).toMatch(ADVICE)
  })

  test('is told from one that ends a run later, which gets no such advice', async () => {
    expect((await runWithin('tokens=12000')).stderr).not.toMatch(ADVICE)
    expect((await runWithin('steps=1')).stderr).not.toMatch(ADVICE)
  })
})
