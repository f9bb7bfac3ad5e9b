import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../src/args/command-table.js'
import { renderHelp } from '../src/args/help.js'
import { OPTIONS } from '../src/args/option-table.js'

const guide = readFileSync(new URL('../../../docs/guide/command-line.md', import.meta.url), 'utf8')

/** Options as rows of the guide tell them: what takes each, and its name. */
const rows = Array.from(guide.matchAll(/^\| ([a-z, ]+?) +\| `--([a-z-]+)/gm), ([, of = '', name = '']) => ({
  of,
  name,
}))

const here = OPTIONS.filter(({ comesWith }) => comesWith === undefined)

describe('the guide to the command line', () => {
  test('has a row for each option of this version, under commands that take it', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(here.map(({ name }) => name).sort())
    for (const { name, of } of rows) {
      const takers = here.find((option) => option.name === name)?.commands ?? ['every']
      expect(takers, name).toEqual(expect.arrayContaining(of.split(', ').map((command) => command.split(' ')[0])))
    }
  })

  test('names the options that are not in this version', () => {
    const [, later = ''] = /Options of the contract that are not in this version([\s\S]*?)\n\n/.exec(guide) ?? []

    expect(Array.from(later.matchAll(/`--([a-z-]+)`/g), ([, name]) => name)).toEqual(
      OPTIONS.filter(({ comesWith }) => comesWith !== undefined).map(({ name }) => name),
    )
  })
})

describe('the help', () => {
  test('fits on a screen, and names every command and what brings those that are not here', () => {
    const lines = renderHelp().trimEnd().split('\n')

    expect(lines.length).toBeLessThanOrEqual(40)
    for (const { name, comesWith, hidden } of COMMANDS) {
      const isTold = lines.some((line) => line.startsWith(`  ${name} `) && line.includes(comesWith ?? ''))
      expect({ name, isTold }).toEqual({ name, isTold: hidden === undefined })
    }
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
  })

  test.each(COMMANDS.filter(({ comesWith }) => comesWith === undefined).map(({ name }) => [name] as const))(
    'of %s has every option that it takes, and no other',
    (command) => {
      const told = Array.from(renderHelp(command).matchAll(/^ {2}--([a-z-]+)/gm), ([, name]) => name)

      expect(told.sort()).toEqual(
        here
          .filter(({ commands }) => commands?.includes(command) !== false)
          .map(({ name }) => name)
          .sort(),
      )
    },
  )

  test('of bank tells its actions, on lines that fit, with what a race takes', () => {
    const [, told = ''] = /\nactions\n([\s\S]*?)\n\n/.exec(renderHelp('bank')) ?? []
    const lines = told.split('\n')

    expect(told).toMatch(/^ {2}race <list> \[tasks\.jsonl\] {2}/m)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120)
  })

  test.each(['run', 'resume', 'chat', 'bench', 'stream', 'evolve', 'bank'])('of %s tells its exit codes', (command) => {
    expect(renderHelp(command)).toMatch(/\nexit codes\n {2}0 +[A-Z][\s\S]*\n {2}130, 143 /)
  })

  test.each(
    COMMANDS.filter(({ comesWith }) => comesWith !== undefined).map(({ name, comesWith }) => [name, comesWith]),
  )('of %s, which is not here, says that it comes with %s, and no option', (name = '', comesWith = '') => {
    expect(renderHelp(name)).toContain(comesWith)
    expect(renderHelp(name)).not.toContain('--')
  })
})
