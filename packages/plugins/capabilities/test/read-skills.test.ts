import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSkills } from '@harnesswright/plugin-capabilities/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const skillText = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n# ${name}\n\nDo it.\n`
const read = (folder = 'skills') => readSkills(join(root, folder))

describe('skills are read from folders', () => {
  test('each from its SKILL.md, in the order of their names, with the texts beside it', async () => {
    write('skills/b-skill/SKILL.md', skillText('b-skill'))
    write('skills/a-skill/SKILL.md', skillText('a-skill'))
    write('skills/a-skill/references/deep/more.md', 'More.')
    write('skills/a-skill/.git/config', 'secret')
    write('skills/notes/readme.md', 'no skill')

    expect(await read()).toEqual([
      {
        name: 'a-skill',
        description: 'Does a-skill.',
        text: '# a-skill\n\nDo it.',
        files: { 'references/deep/more.md': 'More.' },
        leftOut: {},
      },
      { name: 'b-skill', description: 'Does b-skill.', text: '# b-skill\n\nDo it.', files: {}, leftOut: {} },
    ])
  })

  test('from a folder that is a skill, and from several', async () => {
    write('one/SKILL.md', skillText('one'))
    write('skills/two/SKILL.md', skillText('two'))

    const found = await readSkills([join(root, 'one'), join(root, 'skills')])
    expect(found.map(({ name }) => name)).toEqual(['one', 'two'])
  })

  test('and what is no text, a link or too large is left out with the reason', async () => {
    write('secret.txt', 'top secret')
    write('skills/s/SKILL.md', skillText('s'))
    write('skills/s/logo.png', Uint8Array.of(0xff, 0xd8, 0x00))
    write('skills/s/zeros.bin', Uint8Array.of(0, 0))
    write('skills/s/large.txt', 'x'.repeat(256 * 1024 + 1))
    symlinkSync(join(root, 'secret.txt'), join(root, 'skills/s/link.txt'))
    symlinkSync(root, join(root, 'skills/s/up'))

    const [skill] = await read()
    expect(skill?.files).toEqual({})
    expect(skill?.leftOut).toEqual({
      'large.txt': 'it has 262145 bytes, and at most 262144 are read',
      'link.txt': 'it is a link, and links are not followed',
      'logo.png': 'it is no UTF-8 text',
      up: 'it is a link, and links are not followed',
      'zeros.bin': 'it is no text',
    })
    expect(JSON.stringify(skill)).not.toContain('top secret')
  })
})

describe('a folder that is wrong is refused', () => {
  test('when it is not there, and when there is no skill in it', async () => {
    mkdirSync(join(root, 'skills/empty'), { recursive: true })

    await expect(read('nowhere')).rejects.toMatchObject({
      code: 'E_SKILL_FOLDER',
      message: expect.stringContaining('nowhere'),
    })
    await expect(read()).rejects.toMatchObject({
      code: 'E_SKILL_FOLDER',
      message: expect.stringContaining('There is no SKILL.md in'),
      hint: expect.stringContaining('folder'),
    })
  })

  test('when the file has another name', async () => {
    write('skills/s/skill.md', skillText('s'))

    await expect(read()).rejects.toMatchObject({
      code: 'E_SKILL_FOLDER',
      message: expect.stringMatching(/skill\.md must be named SKILL\.md/),
    })
  })

  test('when it is no text', async () => {
    write('skills/s/SKILL.md', Uint8Array.of(0x2d, 0xff))

    await expect(read()).rejects.toMatchObject({
      code: 'E_SKILL_FOLDER',
      message: expect.stringContaining('SKILL.md cannot be read: it is no UTF-8 text'),
    })
  })

  test('when its name is not that of the skill', async () => {
    write('skills/forms/SKILL.md', skillText('fill-forms'))

    await expect(read()).rejects.toMatchObject({
      code: 'E_SKILL_FRONT_MATTER',
      message: expect.stringContaining('the name is "fill-forms", expected that of its folder, "forms"'),
    })
  })

  test('when a skill, or its SKILL.md, is a link', async () => {
    write('outside/SKILL.md', skillText('outside'))
    mkdirSync(join(root, 'skills/s'), { recursive: true })
    symlinkSync(join(root, 'outside/SKILL.md'), join(root, 'skills/s/SKILL.md'))
    mkdirSync(join(root, 'linked'))
    symlinkSync(join(root, 'outside'), join(root, 'linked/outside'))

    await expect(read()).rejects.toMatchObject({ code: 'E_SKILL_LINK' })
    await expect(read('linked')).rejects.toMatchObject({ code: 'E_SKILL_LINK' })
  })

  test('when two skills have one name', async () => {
    write('a/s/SKILL.md', skillText('s'))
    write('b/s/SKILL.md', skillText('s'))

    await expect(readSkills([join(root, 'a'), join(root, 'b')])).rejects.toMatchObject({
      code: 'E_SKILL_TWICE',
      message: 'Two skills are named "s".',
    })
  })

  test('when it is too large: too many files, too much text, too many levels', async () => {
    write('many/s/SKILL.md', skillText('s'))
    for (let index = 0; index <= 500; index++) write(`many/s/${index}.md`, '')
    write('large/s/SKILL.md', skillText('s'))
    for (let index = 0; index < 17; index++) write(`large/s/${index}.md`, 'x'.repeat(256 * 1024))
    write(`deep/s/${'d/'.repeat(10)}x.md`, '')
    write('deep/s/SKILL.md', skillText('s'))

    await expect(read('many')).rejects.toMatchObject({
      code: 'E_SKILL_LIMIT',
      message: expect.stringContaining('500 files'),
    })
    await expect(read('large')).rejects.toMatchObject({
      code: 'E_SKILL_LIMIT',
      message: expect.stringContaining('4 MB'),
    })
    await expect(read('deep')).rejects.toMatchObject({
      code: 'E_SKILL_LIMIT',
      message: expect.stringContaining('levels'),
    })
  })
})
