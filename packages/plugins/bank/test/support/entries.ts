import type { Cell, EvaluationEntry, HarnessEntry, NewEntry } from '../../src/index.js'

export const CELL: Cell = { clusterId: 'c1', backbone: 'sim-mid@1', priceTable: '2026-11', protocol: 1 }

/** A harness of this name; its id is the name. */
export function aHarness(name: string, fields: Partial<NewEntry<HarnessEntry>> = {}): NewEntry<HarnessEntry> {
  return {
    id: `sha256:${name}`,
    name,
    manifest: { protocol: 1, name },
    card: `${name} reads and writes`,
    status: 'candidate',
    operator: 'generate',
    createdBy: 'test',
    parentIds: [],
    referenceIds: [],
    promptHash: null,
    model: null,
    catalogueVersion: null,
    predicted: null,
    ...fields,
  }
}

/** A run of a harness. */
export function anEvaluation(
  id: string,
  harness: string,
  fields: Partial<NewEntry<EvaluationEntry>> = {},
): NewEntry<EvaluationEntry> {
  return {
    id,
    harnessId: `sha256:${harness}`,
    taskId: 't1',
    ...CELL,
    seed: 1,
    budget: null,
    reward: 1,
    rewardKind: 'hard',
    masked: false,
    failureKind: null,
    ms: 1_000,
    usd: 0.01,
    inputTokens: 900,
    cachedTokens: 0,
    outputTokens: 100,
    steps: 4,
    repairs: 0,
    traceRef: null,
    ...fields,
  }
}
