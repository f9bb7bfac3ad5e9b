import type { Limits, ModelInfo, Task, TaskFile, Tool } from '@harnesswright/core'
import { countGoals } from './count-goals.js'
import { estimateDepth } from './estimate-depth.js'
import { findCounts } from './find-counts.js'
import { findPaths } from './find-paths.js'
import { countListItems, readSentences } from './read-sentences.js'
import type { TaskFeatures } from './task-features.js'
import { findAffordances } from './tool-affordances.js'

/** Tokens of something of unknown size: what one tool result shows at most by default, 24,000 characters. */
const UNSIZED_TOKENS = 6_000

/** Tokens of the result of a tool that neither reads nor searches. */
const RESULT_TOKENS = 250

/** Tokens of prompts that every request carries beside the task and the tools. */
const PROMPT_TOKENS = 500

const CHARS_PER_TOKEN = 4

/** What a task is looked at with. */
export interface FeatureContext {
  /** Every tool on offer. */
  readonly tools: readonly Tool[]
  /** The model that is to run the task. */
  readonly model: ModelInfo
  /** Effective limits of the run. */
  readonly limits: Pick<Limits, 'tokens' | 'steps' | 'usd'>
}

/**
 * The features of a task, from its words and files, the tools, the model and the limits. The same input gives the same
 * features, and nothing is read but the arguments.
 *
 * Wording is read as English. Of other languages only paths, lists and numbers are understood, and sizes count as unknown.
 */
export function extractFeatures(task: Task, { tools, model, limits }: FeatureContext): TaskFeatures {
  const sentences = readSentences(task.instruction)
  const files = task.files ?? []
  const { unlisted, deliverable } = findPaths(sentences, files)
  const counted = sentences.flatMap(findCounts).filter(({ isReadable }) => isReadable)
  const sources = Math.max(files.length + unlisted, ...counted.map(({ count }) => count))
  const goals = countGoals({ sentences, listItems: countListItems(task.instruction), inputs: task.inputs })
  const affordances = findAffordances(tools)
  const canLook = affordances.hasReadTool || affordances.hasSearchTool
  const volume = estimateVolume({ files, sources, goals, canLook, hasTools: tools.length > 0 })
  const contextWindow = model.contextWindow ?? null
  const leastSteps = Math.max(sources, goals) + (deliverable ? 1 : 0) + 1
  const leastTokens = volume.expectedObservationTokens + leastSteps * headTokens(task, tools)
  return Object.freeze({
    files: files.length,
    sources,
    ...volume,
    contextWindow,
    windowShare: contextWindow === null ? null : volume.expectedObservationTokens / contextWindow,
    dependencyDepth: estimateDepth(sentences, Math.max(sources, goals)),
    deliverable,
    goals,
    leastSteps,
    leastTokens,
    leastUsd: model.price === undefined ? null : (leastTokens * model.price.input) / 1_000_000,
    budget: Object.freeze({
      tokens: limits.tokens,
      steps: limits.steps,
      usd: Number.isFinite(limits.usd) ? limits.usd : null,
    }),
    ...affordances,
  })
}

interface VolumeInput {
  readonly files: readonly TaskFile[]
  readonly sources: number
  readonly goals: number
  /** True when a tool reads or searches. */
  readonly canLook: boolean
  readonly hasTools: boolean
}

/** How much there is to observe. Where nothing is named and something can be looked up, there is one thing for each goal. */
function estimateVolume(input: VolumeInput): Pick<TaskFeatures, 'expectedObservationTokens' | 'unsizedSources'> {
  const { files, sources, goals, canLook, hasTools } = input
  const sizes = files.map(sizeTokens)
  const known = sizes.filter((size) => size !== undefined)
  const unsizedSources = sources === 0 && canLook ? goals : sources - known.length
  const results = sources === 0 && !canLook && hasTools ? goals * RESULT_TOKENS : 0
  const expectedObservationTokens =
    known.reduce((sum, size) => sum + size, 0) + unsizedSources * UNSIZED_TOKENS + results
  return { expectedObservationTokens, unsizedSources }
}

function sizeTokens({ text, bytes }: TaskFile): number | undefined {
  const size = text?.length ?? bytes
  return size === undefined ? undefined : Math.ceil(size / CHARS_PER_TOKEN)
}

/** Tokens that every request repeats: prompts, the task and the tools. */
function headTokens(task: Task, tools: readonly Tool[]): number {
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const parts = [
    task.instruction,
    JSON.stringify(task.inputs ?? ''),
    JSON.stringify(task.messages ?? ''),
    JSON.stringify(offered),
  ]
  return PROMPT_TOKENS + Math.ceil(parts.reduce((sum, part) => sum + part.length, 0) / CHARS_PER_TOKEN)
}
