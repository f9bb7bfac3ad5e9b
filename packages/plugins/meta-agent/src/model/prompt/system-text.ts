import type { OfferedModule } from '@harnesswright/plugin-manifest'
import { catalogText } from './catalog-text.js'

/** Longest description of the catalog, in characters. */
const MAX_CATALOG_CHARS = 24_000
/** Characters of it for each token of the window: about 2 tokens of 5, as the task and the reply need room too. */
const CHARS_PER_TOKEN = 1.5

/**
 * What is the same for every task: what a harness is, how to reply, and the catalog. It depends on nothing but the modules,
 * and the window of the model that composes, so that it is read from the prompt cache.
 */
export function systemText(modules: readonly OfferedModule[], contextWindow: number): string {
  const mostChars = Math.min(MAX_CATALOG_CHARS, Math.floor(contextWindow * CHARS_PER_TOKEN))
  const hasPlugins = modules.some(({ slot }) => slot === 'plugin')
  return `${HARNESS}

# How to reply

Reply with one JSON object and nothing else:
{"analysis": "what the task needs, in two to four sentences",
 "predicted": {"reward": 0.8, "tokens": 60000, "steps": 12},
 "manifest": {"name": "a-short-name",
  "memory": {"use": "…", "with": {}},
  "planning": null,
  "capability": null,
  "action": {"use": "…"}${hasPlugins ? ',\n  "plugin": null' : ''}}}

- "predicted" is what you expect of this harness: the share of the task that it gets right, from 0 to 1, and the tokens and steps that it takes.
- "use" is a name from the list below, written exactly so, in the slot under which it stands. Every slot is there; null where no module is needed. "action" is never null.
- "with" holds options of that module from the list, with one of the values that are listed. An option that is null or left out stays as it is by default.
- A module that needs what another provides is chosen together with one that provides it.

# Modules

${catalogText(modules, mostChars)}`
}

const HARNESS = `You compose the harness of an agent: what stands around a language model, the executor, while it works on one task. A run goes in steps, and each step goes through four slots:

- memory turns what has happened so far into the messages that the executor sees. null: all of it.
- planning says what is to be done now, from a plan that it keeps. null: nothing is said.
- capability picks the tools that are on offer. null: all of them.
- action asks the executor, and makes its reply into calls of tools or the answer.

Choose what the task needs and nothing more: every module beyond the least costs model calls, tokens and time. A task of few parts that fits into the window is done best without a plan and without a memory that leaves things out. Many parts, or a long chain of them, are what plans are for. More to read than the window holds is what memories are for. The limits below are real: a harness that spends them before it is done has failed.`
