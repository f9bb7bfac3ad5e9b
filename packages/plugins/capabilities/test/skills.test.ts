import type { Skill } from '@harnesswright/core'
import type { SkillFolder } from '@harnesswright/plugin-capabilities/node'
import { describe, expect, test } from 'vitest'
import { aTool, observations, offered, runScript, seedWith, use } from './support/harness.js'

const FORMS: SkillFolder = {
  name: 'fill-forms',
  description: 'Fills in forms.\nUse it for any form.',
  text: 'Read references/fields.md first.',
  files: { 'references/fields.md': 'Every field has a name.' },
  leftOut: { 'logo.png': 'it is no UTF-8 text' },
}
const BREAD: Skill = { name: 'bake-bread', description: 'Bakes bread.', text: 'Knead for ten minutes.' }

function withSkills(skills: readonly Skill[], loads: readonly object[] = [], options: object = {}) {
  return runScript({
    manifest: seedWith('react', use('skills', options as never)),
    tools: [aTool('read')],
    task: 'Fill in the form.',
    script: [...loads.map((load) => ({ call: 'load_skill', with: load as never })), 'done'],
    env: { skills },
  })
}

const system = (run: Awaited<ReturnType<typeof withSkills>>): string => String(run.requests[0]?.messages[0]?.content)

describe('what the model sees at first', () => {
  test('are names and descriptions, and nothing of the instructions', async () => {
    const run = await withSkills([FORMS, BREAD])

    expect(system(run)).toContain('- fill-forms: Fills in forms. Use it for any form.\n- bake-bread: Bakes bread.')
    expect(system(run)).toContain('load it with load_skill first')
    expect(JSON.stringify(run.requests)).not.toContain('Knead')
    expect(JSON.stringify(run.requests)).not.toContain('fields.md')
    expect(offered(run.requests[0])).toEqual(['read', 'load_skill'])
  })

  test('are the descriptions that fit the task, and names alone of the others, where there are many', async () => {
    expect(system(await withSkills([BREAD, FORMS], [], { listed: 1 }))).toContain(
      '- fill-forms: Fills in forms. Use it for any form.\nOthers: bake-bread',
    )
  })

  test('are those alone that the manifest names', async () => {
    const run = await withSkills([FORMS, BREAD], [{ skill: 'fill-forms' }], { only: ['bake-bread'] })

    expect(system(run)).not.toContain('fill-forms')
    expect(observations(run, 1)[0]).toContain('there is no skill "fill-forms"; nearest: bake-bread')
  })

  test('is nothing where there are no skills', async () => {
    const run = await withSkills([])

    expect(system(run)).not.toContain('load_skill')
    expect(offered(run.requests[0])).toEqual(['read'])
  })
})

describe('a skill that is loaded', () => {
  test('gives its instructions with the parts there are, and then a part', async () => {
    const run = await withSkills(
      [FORMS, BREAD],
      [{ skill: 'fill-forms' }, { skill: 'fill-forms', part: './references/fields.md' }, { skill: 'bake-bread' }],
    )

    expect(observations(run, 1)).toEqual([
      'Read references/fields.md first.\n\nParts of this skill: references/fields.md',
    ])
    expect(observations(run, 2)).toEqual(['Every field has a name.'])
    expect(observations(run, 3)).toEqual(['Knead for ten minutes.'])
  })

  test.each([
    ['../../etc/passwd'],
    ['/etc/passwd'],
    ['references/../../fill-forms/references/fields.md'],
    ['__proto__'],
    ['references\\fields.md'],
    ['references/fields.md\u0000'],
  ])('reaches nothing but its own parts: not %j', async (part) => {
    const run = await withSkills([FORMS], [{ skill: 'fill-forms', part }])

    const [step] = run.result.steps
    expect(step?.observations[0]).toMatchObject({ ok: false })
    expect(step?.observations[0]?.content).toContain('has no part')
    expect(step?.observations[0]?.content).toContain('nearest: references/fields.md')
  })

  test('says why a part was not read', async () => {
    const run = await withSkills([FORMS], [{ skill: 'fill-forms', part: 'logo.png' }])

    expect(observations(run, 1)[0]).toContain(
      '"logo.png" of the skill "fill-forms" cannot be loaded: it is no UTF-8 text',
    )
  })
})

test('a skill that the manifest names and that is not there ends the run at once, with the nearest name', async () => {
  const { result } = await withSkills([FORMS, BREAD], [], { only: ['bake-bred'] })

  expect(result.error).toMatchObject({ code: 'E_CAPABILITY_SKILL', slot: 'capability' })
  expect(result.error?.message).toContain(
    'names the skill "bake-bred", which the environment does not have; nearest: bake-bread',
  )
})

test('two skills of one name end the run at once', async () => {
  const { result } = await withSkills([BREAD, { ...BREAD, text: 'Buy it.' }])

  expect(result.error).toMatchObject({ code: 'E_SKILL_TWICE', message: expect.stringContaining('bake-bread') })
})
