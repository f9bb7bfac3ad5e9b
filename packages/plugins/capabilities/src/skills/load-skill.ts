import { type Json, nearestNames, type Skill, type Tool } from '@harnesswright/core'
import { asFolder, type SkillFolder } from './skill-folder.js'

/** Most files that are named after the instructions. */
const MOST_NAMED = 100

/** The tool with which the model loads the instructions of a skill, or one of its files. Nothing else can be reached. */
export function createLoadSkill(skills: readonly Skill[]): Tool {
  const byName = new Map(skills.map((skill) => [skill.name, asFolder(skill)]))
  return {
    name: 'load_skill',
    description:
      'Loads the instructions of a skill. With "part" it loads another text of the skill, one that its instructions name.',
    parameters: {
      type: 'object',
      properties: {
        skill: { type: 'string', minLength: 1, maxLength: 200, description: 'Name of the skill.' },
        part: {
          type: 'string',
          minLength: 1,
          maxLength: 400,
          description: 'Path in the skill, such as references/forms.md.',
        },
      },
      required: ['skill'],
      additionalProperties: false,
    },
    readOnly: true,
    idempotent: true,
    execute({ skill: name, part }: { readonly skill: string; readonly part?: string }): Json {
      const skill = byName.get(name)
      if (skill === undefined) throw new Error(`there is no skill "${name}"; nearest: ${nearest(name, byName.keys())}`)
      return part === undefined ? instructionsOf(skill) : partOf(skill, part)
    },
  }
}

function instructionsOf({ text, files }: SkillFolder): string {
  const paths = Object.keys(files)
  if (paths.length === 0) return text
  const more = paths.length > MOST_NAMED ? `, and ${paths.length - MOST_NAMED} more` : ''
  return `${text}\n\nParts of this skill: ${paths.slice(0, MOST_NAMED).join(', ')}${more}`
}

function partOf({ name, files, leftOut }: SkillFolder, part: string): string {
  const path = part.replace(/^\.\//, '')
  const text = Object.hasOwn(files, path) ? files[path] : undefined
  if (text !== undefined) return text
  if (Object.hasOwn(leftOut, path))
    throw new Error(`"${path}" of the skill "${name}" cannot be loaded: ${leftOut[path]}`)
  const paths = Object.keys(files)
  const known = paths.length === 0 ? 'it has no parts' : `nearest: ${nearest(path, paths)}`
  throw new Error(`the skill "${name}" has no part "${path.slice(0, 200)}"; ${known}`)
}

function nearest(name: string, names: Iterable<string>): string {
  return nearestNames(name, names).join(', ')
}
