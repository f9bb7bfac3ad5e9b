import type { Json } from '@harnesswright/core'
import { type Cell, type DecisionEntry, type Entry, type HolderEntry, LOG_VERSION } from './log/entry.js'
import type { RaceDecision } from './rule/decide-race.js'
import type { DemotionDecision } from './rule/demotion.js'
import type { PaperDecision } from './rule/paper.js'
import type { ScreenDecision } from './rule/screen.js'

/** A decision, and whom it is about. */
export interface DecisionInput {
  readonly cell: Cell
  readonly decision: RaceDecision | PaperDecision | DemotionDecision | ScreenDecision
  /** Of a demotion the champion itself. */
  readonly challengerId: string
  readonly championId: string | null
  readonly anchorId: string | null
}

/** What entries are marked with. */
interface Stamp {
  readonly at: number
  readonly newId: () => string
}

/** The entries of decisions, and those that follow from each. */
export function entriesOfDecisions(inputs: readonly DecisionInput[], stamp: Stamp): readonly Entry[] {
  return inputs.flatMap((input) => entriesOf(input, stamp))
}

function entriesOf(input: DecisionInput, { at, newId }: Stamp): readonly Entry[] {
  const id = newId()
  const { cell, decision, challengerId, championId, anchorId } = input
  const { rule, ruleVersion, verdict, reason } = decision
  const numbers = { ...decision.numbers, ...('anchor' in decision ? { anchor: decision.anchor } : {}) }
  const entry: DecisionEntry = {
    v: LOG_VERSION,
    kind: 'decision',
    id,
    at,
    ...cell,
    rule,
    ruleVersion,
    verdict,
    reason,
    challengerId,
    championId,
    anchorId,
    numbers: numbers as unknown as Json, // numbers, texts and null
  }
  const holder = (kind: HolderEntry['kind'], harnessId: string): HolderEntry => ({
    v: LOG_VERSION,
    kind,
    id: newId(),
    at,
    ...cell,
    harnessId,
    evidenceId: id,
  })
  const champion = newChampion(input)
  return [
    entry,
    ...(champion === null ? [] : [holder('champion', champion)]),
    ...('anchor' in decision && decision.anchor.isReplaced && championId !== null
      ? [holder('anchor', championId)]
      : []),
  ]
}

function newChampion({ decision, challengerId, anchorId }: DecisionInput): string | null {
  if (decision.verdict === 'promote') return challengerId
  return decision.verdict === 'demote' ? anchorId : null
}
