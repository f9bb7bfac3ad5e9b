import { resolve } from 'node:path'
import type { Skill } from '@harnesswright/core'
import type { Config } from '../config/config.js'

/**
 * The skills of a configuration, read before the run.
 *
 * @throws HarnessError `E_SKILL_*` for a folder that is none, and a SKILL.md that cannot be used.
 */
export async function skillsOf({ skills }: Config, cwd: string): Promise<readonly Skill[]> {
  if (skills.length === 0) return []
  const { readSkills } = await import('@harnesswright/plugin-capabilities/node')
  return await readSkills(skills.map((folder) => resolve(cwd, folder)))
}
