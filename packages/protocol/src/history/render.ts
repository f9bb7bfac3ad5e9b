import { asText } from '../json/text.js'
import type { ArtifactStore, Plan, Task } from '../types/index.js'

/**
 * The task as its first user message: the instruction, its inputs, and what is handed over in `<context>`.
 *
 * @see docs/guide/concepts.md, "Text conventions"
 */
export function renderTask(task: Task, artifacts: Pick<ArtifactStore, 'get'>): string {
  const parts = [task.instruction]
  if (task.inputs !== undefined) parts.push(`Inputs:\n${JSON.stringify(task.inputs, null, 2)}`)
  const context = (task.context ?? []).map((id) => asText(artifacts.get(id) ?? `artifact ${id} is not available`))
  if (context.length > 0) parts.push(`<context>\n${context.join('\n\n')}\n</context>`)
  return parts.join('\n\n')
}

/** A plan as lines, each goal in its own words; number and status stand beside them, never instead. */
export function renderPlan(plan: Plan): string {
  return plan.goals
    .map((goal) => {
      const after = goal.dependsOn?.length ? `, after ${goal.dependsOn.join(', ')}` : ''
      const paths = (goal.paths ?? []).map((path) => `\n   - ${path.text} (${path.status})`).join('')
      return `${goal.id}. ${goal.text} (${goal.status}${after})${paths}`
    })
    .join('\n')
}

/** The heading of an entry that can be folded or cited: `[Step 12]`, `[Compressed Step 2 to 5]`. */
export function renderHeading(kind: string, first: number, last: number = first): string {
  return first === last ? `[${kind} ${first}]` : `[${kind} ${first} to ${last}]`
}
