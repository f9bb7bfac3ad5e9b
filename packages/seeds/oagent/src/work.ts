import { answerText, passagesOf, type Rollout, searchPassages } from '@harnesswright/seed-aggagent/parts'

/** How much of what an expert saw is shown. */
export interface Evidence {
  readonly snippets: number
  readonly chars: number
}

/** The work of the experts, as the critic reads it: the answer of each on one line, then what it saw that bears on it. */
export function writeWork(experts: readonly Rollout[], evidence: Evidence): string {
  return experts.map((expert) => [answerLine(expert), ...evidenceOf(expert, evidence)].join('\n')).join('\n\n')
}

function answerLine({ number, result }: Rollout): string {
  const answer = answerText(result?.answer).replace(/\s*\n\s*/g, ' ')
  if (answer !== '') return `Expert ${number}: ${answer}`
  return `[Expert ${number}] has no answer: ${result?.reason ?? result?.status ?? 'it was not started'}.`
}

/** The pieces of results that hold most words of the answer, in the order in which they were seen. */
function evidenceOf(expert: Rollout, { snippets, chars }: Evidence): readonly string[] {
  const { number, result } = expert
  const seen = passagesOf(expert).filter(({ speaker }) => speaker === 'tool')
  return searchPassages(seen, answerText(result?.answer), snippets)
    .toSorted((one, other) => one.passage.step - other.passage.step)
    .map(({ passage, text }) => `- seen by expert ${number} in step ${passage.step}: ${cut(text, chars)}`)
}

function cut(text: string, chars: number): string {
  const line = text.replace(/\s*\n\s*/g, ' ').trim()
  return line.length <= chars ? line : `${line.slice(0, chars).replace(/[\ud800-\udbff]$/, '')}…`
}
