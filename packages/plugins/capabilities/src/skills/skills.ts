import { type Capabilities, type Ctx, defineModule, type Module, type Skill } from '@harnesswright/core'
import * as z from 'zod'
import { checkNames } from '../check-names.js'
import { rankDocuments } from '../search/bm25.js'
import { createDocument } from '../search/document.js'
import { queryOf } from '../search/rank-tools.js'
import { skillError } from './errors.js'
import { createLoadSkill } from './load-skill.js'

const options = z.strictObject({
  only: z
    .array(z.string().min(1).max(64))
    .max(200)
    .default([])
    .describe('Names of the skills that may be used; empty: every skill of the environment.'),
  listed: z
    .int()
    .min(0)
    .max(500)
    .default(40)
    .describe(
      'Most skills that are listed with their description, those that fit the task best; of the others the names.',
    )
    .meta({ buckets: [10, 40] }),
})

const prompts = {
  system:
    'Skills are written instructions for kinds of work. When one fits what you are about to do, load it with load_skill first and follow it.\n{{skills}}',
} as const

type SkillsCtx = Ctx<z.output<typeof options>, Record<string, never>, typeof prompts>

/**
 * Skills on demand: the model sees names and descriptions, and loads the instructions, and further files of the skill, by a
 * call. The skills are those of the environment; `readSkills` makes them from folders with a SKILL.md.
 *
 * @see docs: plugins/capabilities
 */
export const skills: Module = defineModule({
  slot: 'capability',
  summary: 'Lists the skills of the environment by name and description, and lets the model load one when it needs it.',
  options,
  prompts,
  start({ options: { only }, catalog }) {
    checkNames({ of: 'skill', option: 'only', names: only, there: catalog.skills })
    const names = catalog.skills.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw skillError('E_SKILL_TWICE', `Two skills are named "${twice}".`, { name: twice })
  },
  system(ctx) {
    const list = skillsOf(ctx)
    return list.length === 0 ? '' : ctx.prompt('system', { skills: listOf(list, ctx) })
  },
  tools(ctx) {
    const list = skillsOf(ctx)
    return list.length === 0 ? [] : [createLoadSkill(list)]
  },
  select: (ctx): Capabilities => ({
    ...ctx.capabilities,
    skills: ctx.capabilities.skills.filter((skill) => isUsed(skill, ctx)),
  }),
})

function skillsOf(ctx: SkillsCtx): readonly Skill[] {
  return ctx.catalog.skills.filter((skill) => isUsed(skill, ctx))
}

function isUsed({ name }: Skill, { options: { only } }: SkillsCtx): boolean {
  return only.length === 0 || only.includes(name)
}

/** One line for each skill, in their order; the task is one for the whole run, and so is the list. */
function listOf(list: readonly Skill[], { task, options: { listed } }: SkillsCtx): string {
  const shown = new Set(list.length <= listed ? list : bestOf(list, task.instruction, listed))
  const lines = list
    .filter((skill) => shown.has(skill))
    .map(({ name, description }) => `- ${name}: ${oneLine(description)}`)
  const others = list.filter((skill) => !shown.has(skill)).map(({ name }) => name)
  return [...lines, ...(others.length === 0 ? [] : [`Others: ${others.join(', ')}`])].join('\n')
}

function bestOf(list: readonly Skill[], task: string, count: number): readonly Skill[] {
  const documents = list.map(({ name, description }) =>
    createDocument([
      [name, 2],
      [description, 1],
    ]),
  )
  const hits = rankDocuments(documents, queryOf([[task, 1]])).flatMap(({ index }) => list[index] ?? [])
  return [...new Set([...hits, ...list])].slice(0, count)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
