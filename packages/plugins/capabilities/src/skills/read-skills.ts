import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { skillError } from './errors.js'
import { readSkillText } from './front-matter.js'
import { type FolderFiles, readFolderFiles } from './read-folder-files.js'
import type { SkillFolder } from './skill-folder.js'

const SKILL_FILE = 'SKILL.md'

/** Most skills that are read at once. */
const MOST_SKILLS = 1_000

/**
 * Reads skills from folders: each folder has a SKILL.md, or holds folders that have one. Everything is read now, so that a run
 * can reach what was read and nothing else. Links are never followed, and names that begin with a dot are passed over.
 *
 * @param folders - One folder or several, relative to the working directory.
 * @returns The skills, in the order of the folders and of their names there.
 * @throws HarnessError `E_SKILL_FOLDER` when there is no such folder or no skill in it, `E_SKILL_FRONT_MATTER` when a SKILL.md
 * cannot be read as one, `E_SKILL_LINK`, `E_SKILL_LIMIT`, or `E_SKILL_TWICE` when two skills have one name.
 * @example
 * ```ts
 * const env = createEnvironment({ model, tools, skills: await readSkills('skills') })
 * ```
 */
export async function readSkills(folders: string | readonly string[]): Promise<readonly SkillFolder[]> {
  const found: SkillFolder[] = []
  for (const folder of [folders].flat())
    for (const place of await skillPlaces(folder)) found.push(await readSkill(place))
  if (found.length > MOST_SKILLS)
    throw skillError('E_SKILL_LIMIT', `There are ${found.length} skills, expected at most ${MOST_SKILLS}.`)
  const names = found.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw skillError('E_SKILL_TWICE', `Two skills are named "${twice}".`, { name: twice })
  return found
}

/** The folder itself where it has a SKILL.md, else the folders in it that have one. */
async function skillPlaces(folder: string): Promise<readonly string[]> {
  const entries = await entriesOf(folder)
  if (entries.some(({ name }) => name === SKILL_FILE)) return [folder]
  const places: string[] = []
  for (const entry of entries) {
    const place = join(folder, entry.name)
    if (entry.isSymbolicLink()) throw skillError('E_SKILL_LINK', `${place} is a link.`)
    if (entry.isDirectory() && (await isSkill(place))) places.push(place)
  }
  if (places.length > 0) return places
  throw skillError('E_SKILL_FOLDER', `There is no ${SKILL_FILE} in ${folder}, nor in a folder of it.`)
}

async function isSkill(place: string): Promise<boolean> {
  const names = (await entriesOf(place)).map(({ name }) => name)
  if (names.includes(SKILL_FILE)) return true
  const near = names.find((name) => name.toLowerCase() === SKILL_FILE.toLowerCase())
  if (near === undefined) return false
  throw skillError('E_SKILL_FOLDER', `${join(place, near)} must be named ${SKILL_FILE}, in these letters.`)
}

async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw skillError('E_SKILL_FOLDER', `The folder ${folder} cannot be read.`, { cause })
  }
}

async function readSkill(place: string): Promise<SkillFolder> {
  const where = join(place, SKILL_FILE)
  if ((await lstat(where)).isSymbolicLink()) throw skillError('E_SKILL_LINK', `${where} is a link.`)
  const { files, leftOut }: FolderFiles = await readFolderFiles(place)
  const { [SKILL_FILE]: source, ...others } = files
  if (source === undefined) throw skillError('E_SKILL_FOLDER', `${where} cannot be read: ${leftOut[SKILL_FILE]}.`)
  const skill = readSkillText(source, where)
  const folder = basename(resolve(place))
  if (skill.name !== folder)
    throw skillError(
      'E_SKILL_FRONT_MATTER',
      `${where}: the name is "${skill.name}", expected that of its folder, "${folder}".`,
    )
  return { ...skill, files: others, leftOut }
}
