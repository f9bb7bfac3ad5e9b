import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from './fake-io.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

describe('harnesswright diff', () => {
  test('says slot by slot how two seeds differ, and how far they are apart', async () => {
    const { code, stdout } = await box.run(['diff', 'react', 'flash-searcher'])

    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^a: react, manifest [0-9a-f]{12}$/),
      expect.stringMatching(/^b: flash-searcher, manifest [0-9a-f]{12}$/),
      'planning: @harnesswright/seed-react#planning -> @harnesswright/seed-flash-searcher#planning',
      'distance 0.250',
      '',
    ])
  })

  test('--json prints one object; a seed is the same as its manifest in a file', async () => {
    const { manifest } = JSON.parse(
      (await box.run(['seeds', '--json'])).stdout.replace(/^.*$/s, (all) => {
        const { seeds } = JSON.parse(all) as { seeds: { scaffold: string }[] }
        return JSON.stringify(seeds.find(({ scaffold }) => scaffold === 'gam'))
      }),
    ) as { manifest: object }
    writeFileSync(join(box.root, 'mine.json'), JSON.stringify({ ...manifest, name: 'another' }))
    const { stdout } = await box.run(['diff', 'gam', 'mine.json', '--json'])
    const said = JSON.parse(stdout) as Record<string, { manifestId: string }>

    expect(said).toMatchObject({ same: true, distance: 0, differences: [], a: { name: 'gam' }, b: { name: 'mine' } })
    expect(said['a']?.manifestId).toBe(said['b']?.manifestId)
  })

  test.each([
    [['diff', 'react'], 2, 'E_CLI_USAGE'],
    [['diff', 'react', 'raect'], 2, 'E_CLI_OPTION'],
    [['diff', 'react', 'none.json'], 3, 'E_CLI_FILE'],
  ] as const)('%j is refused with %i and %s', async (argv, code, error) => {
    const said = await box.run(argv)

    expect({ code: said.code, stdout: said.stdout }).toEqual({ code, stdout: '' })
    expect(said.stderr).toMatch(new RegExp(`^error\\[${error}\\] `, 'm'))
  })

  test('a manifest with problems is refused with all of them', async () => {
    writeFileSync(
      join(box.root, 'broken.json'),
      '{"protocol":1,"name":"x","packages":{},"memory":null,"planning":null}',
    )
    const said = await box.run(['diff', 'react', 'broken.json'])

    expect(said).toMatchObject({ code: 3, stderr: expect.stringContaining('E_MANIFEST_') })
  })
})
