import type { Skill } from '@harnesswright/core'

/** A skill that was read from a folder: its instructions, and the other files of the folder. */
export interface SkillFolder extends Skill {
  /** Texts by their path in the folder, with `/` between names. */
  readonly files: Readonly<Record<string, string>>
  /** Files that were not read, by path, and why. */
  readonly leftOut: Readonly<Record<string, string>>
}

/** The skill as a folder; one that a host made by hand has no files. */
export function asFolder(skill: Skill): SkillFolder {
  return { files: {}, leftOut: {}, ...skill }
}
