import { createEnvironment, type Model, type RunResult, type Step } from '@harnesswright/core'
import { type HarnessName, makeHarness } from './harnesses.js'
import type { Suite } from './suite.js'

/** Limits of a row, and how calls are made. */
export interface RowOptions {
  readonly steps: number
  readonly tokens: number
  readonly parallel: boolean
}

/** What came of one row, as a line of the results. */
export interface RowResult {
  readonly suite: string
  readonly harness: HarnessName
  readonly model: string
  readonly id: string
  readonly status: RunResult['status']
  readonly reason?: string
  readonly reward: number
  readonly detail: string
  /** The reward of the first reply alone that called a tool. */
  readonly firstReward?: number
  readonly steps: number
  readonly toolCalls: number
  readonly refusedCalls: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly seconds: number
  readonly answer: string
  readonly warnings: readonly string[]
}

/** Runs one row in a harness of its own and scores it. */
export async function runRow<Row extends { readonly id: string }>(
  suite: Suite<Row>,
  row: Row,
  {
    harness: name,
    model,
    options,
  }: { readonly harness: HarnessName; readonly model: Model; readonly options: RowOptions },
): Promise<RowResult> {
  const { steps, tokens, parallel } = options
  const env = createEnvironment({ model, tools: suite.tools(row), limits: { steps, tokens } })
  const harness = await makeHarness(name, env, parallel)
  const result = await harness.run(suite.task(row), { seed: 1 }).result
  const { reward, detail } = suite.score(row, result)
  const first = suite.scoreFirst?.(row, result)
  return {
    suite: suite.name,
    harness: name,
    model: model.id,
    id: row.id,
    status: result.status,
    ...(result.reason !== undefined && { reason: result.reason }),
    reward,
    detail,
    ...(first !== undefined && { firstReward: first.reward }),
    ...countsOf(result),
    seconds: Math.round(result.ms / 100) / 10,
    answer: String(result.answer ?? '').slice(-200),
    warnings: result.warnings,
  }
}

function countsOf({ steps, spent }: RunResult) {
  const { inputTokens, cachedTokens, outputTokens } = spent.usage
  const refusedCalls = steps.flatMap(({ observations }: Step) => observations.filter(({ ok }) => !ok)).length
  return {
    steps: steps.length,
    toolCalls: spent.toolCalls,
    refusedCalls,
    modelCalls: spent.modelCalls,
    inputTokens: inputTokens ?? 0,
    cachedTokens: cachedTokens ?? 0,
    outputTokens: outputTokens ?? 0,
  }
}
