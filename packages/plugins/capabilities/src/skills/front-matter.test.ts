import { isHarnessError } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSkillText } from './front-matter.js'

const read = (front: string, body = 'Do it.') => readSkillText(`---\n${front}\n---\n${body}`, 'SKILL.md')

function faultOf(source: string): string {
  try {
    readSkillText(source, 'SKILL.md')
  } catch (error) {
    if (isHarnessError(error) && error.code === 'E_SKILL_FRONT_MATTER') return error.message
    throw error
  }
  throw new Error('it was read')
}

describe('a description is read', () => {
  test.each([
    ['plain', 'Fills in forms: all of them.', 'Fills in forms: all of them.'],
    ['plain, with a comment', 'Fills in forms. # for now', 'Fills in forms.'],
    ['over several lines', 'Fills in\n  forms.', 'Fills in forms.'],
    ['that begins on the next line', '\n  Fills in forms.', 'Fills in forms.'],
    ['in single quotes', "'It''s: #1'", "It's: #1"],
    ['in double quotes', '"A \\"form\\" \\u00e9\\n#2" # note', 'A "form" é\n#2'],
    ['as a block', '|\n  One.\n    Two.\n\n  Three.', 'One.\n  Two.\n\nThree.'],
    ['as a folded block', '>-\n  One\n  two.\n\n  Three.', 'One two.\nThree.'],
  ])('%s', (_, written, text) => {
    expect(read(`name: a\ndescription: ${written}\nlicense: MIT`).description).toBe(text)
  })
})

test('other keys are passed over, whatever they hold, and so are comments, a byte order mark and line ends of Windows', () => {
  const front = '# a skill\nmetadata:\n  tags: [a, b]\nallowed-tools:\n- Read\nname: a-1\ndescription: D.\nversion: "1"'
  const source = `\ufeff---\n${front}\n---\n\nDo it.\n---\nAnd that.\n`.replaceAll('\n', '\r\n')

  expect(readSkillText(source, 'SKILL.md')).toEqual({ name: 'a-1', description: 'D.', text: 'Do it.\n---\nAnd that.' })
})

test.each([
  ['# A skill\n', 'SKILL.md:1: expected a line ---, found "# A skill".'],
  ['', 'SKILL.md:1: expected a line ---, found "".'],
  ['---\nname: a\n', 'SKILL.md:3: the front matter is not closed: expected a second line ---.'],
  ['---\n---\nDo.', 'SKILL.md:1: "name" is missing; found no keys.'],
  ['---\nname: a\nversion: 1\n---\nDo.', 'SKILL.md:1: "description" is missing; found name, version.'],
  ['---\nname: a\nname: b\ndescription: D.\n---\nDo.', 'SKILL.md:3: "name" is there twice.'],
  ['---\nname:a\n---\nDo.', 'SKILL.md:2: expected "key: value", found "name:a".'],
  ['---\nname: a\ndescription:\n---\nDo.', 'SKILL.md:3: "description" is empty.'],
  ['---\nname: a\ndescription: [a, b]\n---\nDo.', 'SKILL.md:3: "description" is no text'],
  ['---\nname: a\ndescription:\n  - a\n---\nDo.', 'SKILL.md:3: "description" is no text'],
  ['---\nname: a\ndescription:\n  en: a\n---\nDo.', 'SKILL.md:3: "description" is no text'],
  ['---\nname: a\ndescription: "open\n---\nDo.', 'SKILL.md:3: "description" is in quotes that are not closed'],
  ["---\nname: a\ndescription: 'open\n---\nDo.", 'SKILL.md:3: "description" is in quotes that are not closed'],
  ['---\nname: a\ndescription: "C:\\dir"\n---\nDo.', 'SKILL.md:3: "description" has the escape \\d, which is none'],
  [
    '---\nname: Fill Forms\ndescription: D.\n---\nDo.',
    'expected 1 to 64 lower-case letters and digits, with single hyphens between, such as "fill-forms".',
  ],
  ['---\nname: ../up\ndescription: D.\n---\nDo.', 'such as "up".'],
  ['---\nname: "!"\ndescription: D.\n---\nDo.', 'such as "my-skill".'],
  [
    `---\nname: a\ndescription: ${'x'.repeat(1025)}\n---\nDo.`,
    'the description has 1025 characters, expected at most 1024',
  ],
  ['---\nname: a\ndescription: D.\n---\n\n', 'SKILL.md:4: there are no instructions after the front matter.'],
])('%j is refused with its line and what is expected', (source, message) => {
  expect(faultOf(source)).toContain(message)
})

test('whatever is in a file, it is read or refused with a code', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---',
      'name: a',
      'description: |',
      "description: '",
      'x:',
      '  y',
      '- z',
      '#',
      '',
      '"\\',
      '\u0000',
      '\ud800',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (lines) => {
      try {
        const { name, description, text } = readSkillText(lines.join('\n'), 'SKILL.md')
        expect([name, description, text].every((part) => part.trim() !== '')).toBe(true)
      } catch (error) {
        expect(isHarnessError(error) && error.code).toBe('E_SKILL_FRONT_MATTER')
      }
    }),
    { numRuns: 500 },
  )
})

test('every description in double quotes as JSON writes it is read back', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (text) => {
      const kept = text.replace(/[^\P{C}]/gu, '').trim()
      fc.pre(kept !== '')
      expect(read(`name: a\ndescription: ${JSON.stringify(kept)}`).description).toBe(kept)
    }),
  )
})
