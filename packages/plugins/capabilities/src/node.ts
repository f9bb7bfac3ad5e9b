/**
 * Skills from folders on disk, for a host that makes an environment.
 *
 * @packageDocumentation
 */
export { readSkills } from './skills/read-skills.js'
export type { SkillFolder } from './skills/skill-folder.js'
