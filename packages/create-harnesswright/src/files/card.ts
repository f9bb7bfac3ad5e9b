import type { NewPackage } from '../read-request.js'

/** The CARD.md of a new seed: what it is good for, as people and composers read it. */
export function card({ short }: NewPackage): string {
  return `# ${short}

**What it does.** Reasons and acts in turns. Of older steps only the model's own words stay in view; the task is repeated every few steps; tools
that change something are offered after the first steps.

**Pick it when** a run is long and the model notes what it learns, and a hasty change does harm.

**Do not pick it when** the exact text of early observations is needed to the end, or the first step must already change something.

**Cost.** One model call a step. Folding older steps costs the prompt cache each time it moves on.

**Options that matter.** \`wholeSteps\` of the memory, \`every\` of the planning, \`lookSteps\` of the capability.

**Source.** Written with \`npm create harnesswright\`; say here where the idea is from.
`
}
