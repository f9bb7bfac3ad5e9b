import { HarnessError } from '@harnesswright/core'

/** The codes of skill folders, with what a person can do about each. */
const HINTS = {
  E_SKILL_FOLDER: 'Name a folder that has a SKILL.md, or a folder of such folders.',
  E_SKILL_FRONT_MATTER:
    'Begin SKILL.md with a line ---, then "name: …" and "description: …", then a line ---, then the instructions.',
  E_SKILL_LINK: 'Replace the link by a copy, or name the folder it leads to: links are never followed.',
  E_SKILL_LIMIT: 'Split the skill, or keep what is not needed as text out of its folder.',
  E_SKILL_TWICE: 'Rename one of the two, or leave its folder out.',
} as const

/** A code of skill folders. */
export type SkillErrorCode = keyof typeof HINTS

/** Makes a coded error of skill folders. */
export function skillError(
  code: SkillErrorCode,
  message: string,
  { cause, ...details }: Readonly<Record<string, unknown>> = {},
): HarnessError {
  return new HarnessError(code, { message, hint: HINTS[code], details, ...(cause === undefined ? {} : { cause }) })
}
