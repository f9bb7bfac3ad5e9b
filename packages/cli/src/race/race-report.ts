import type { CellRace, ClusterEntry, Comparison, DecidedChallenger, OpenedCell } from '@harnesswright/plugin-bank'
import type { Listing } from '../commands/list-command.js'
import { countOf, formatTable, formatUsd, shownName } from '../text/format.js'

/** What came of races, as it is written down. */
export interface RaceSummary {
  readonly model: string
  readonly simulated: boolean
  /** What all runs cost, each counted once. */
  readonly spent: { readonly runs: number; readonly tokens: number; readonly usd: number | null }
  readonly races: readonly NamedRace[]
  /** Names of the harnesses, by their ids. */
  readonly names: Readonly<Record<string, string>>
}

/** A race, and the kind of task that it is about. */
export interface NamedRace extends CellRace {
  readonly cluster: Pick<ClusterEntry, 'id' | 'name'>
  readonly tasks: number
  /** Codes of what the endpoint failed with, each once. */
  readonly failures: readonly string[]
}

/** Whether an endpoint that failed left something open. */
export function isUndecided({ refused, decided, failures }: NamedRace): boolean {
  const isOpen = refused !== undefined || decided.some(({ decision }) => decision.verdict === 'incomplete')
  return failures.length > 0 && isOpen
}

/** For each kind of task who raced, what was decided, and why. */
export function reportRaces(summary: RaceSummary): Listing {
  const { races, spent, simulated } = summary
  const nameOf = (id: string | undefined): string => (id === undefined ? '-' : shownName(summary.names[id] ?? id))
  const lines = [
    ...races.flatMap((race) => [...raceLines(race, nameOf), '']),
    `${spent.runs} runs, ${spent.usd === null ? 'unknown cost' : formatUsd(spent.usd)}`,
    ...(simulated ? ['On the simulated model: nothing follows for language models.'] : []),
  ]
  return { json: summary, lines }
}

type NameOf = (id: string | undefined) => string

function raceLines(race: NamedRace, nameOf: NameOf): readonly string[] {
  const { cluster, tasks, refused, opened, championId, anchorId, decided, demotion } = race
  const against = championId === undefined ? '' : `: champion ${nameOf(championId)}, anchor ${nameOf(anchorId)}`
  return [
    `${shownName(cluster.name)} (${cluster.id}), ${countOf(tasks, 'task')}${against}`,
    ...(opened === undefined ? [] : openedLines(opened, nameOf)),
    ...(refused === undefined ? [] : [`  no race: ${refused}`]),
    ...(decided.length === 0 ? [] : formatTable([HEADINGS, ...decided.map((one) => row(one, nameOf))]).map(indented)),
    ...decided.map(({ challengerId, decision }) => `  ${nameOf(challengerId)}: ${decision.reason}`),
    ...decided.flatMap(({ decision }) =>
      'anchor' in decision && decision.anchor.isReplaced
        ? [`  new anchor ${nameOf(championId)}: ${decision.anchor.reason}`]
        : [],
    ),
    ...(demotion === undefined ? [] : [`  ${nameOf(championId)} is demoted: ${demotion.reason}`]),
    ...(isUndecided(race) ? [`  the endpoint failed runs that are needed: ${race.failures.join(', ')}`] : []),
  ]
}

function openedLines({ measured }: OpenedCell, nameOf: NameOf): readonly string[] {
  const told = measured.map(({ harnessId, why, reward }) => `${nameOf(harnessId)} ${digits(reward)} (${why})`)
  return [`  nobody stood here yet; measured first: ${told.join(', ')}`]
}

const HEADINGS = ['challenger', 'verdict', 'pairs', 'reward', 'champion', 'difference', 'cost', 'time']

function row({ challengerId, decision }: DecidedChallenger, nameOf: NameOf): readonly string[] {
  const start = [nameOf(challengerId), decision.verdict, String(decision.numbers.pairs)]
  if (decision.rule === 'paper') {
    const { reward, usd, ms } = decision.numbers
    return [...start, '-', '-', reward.toFixed(3), `${usd.toFixed(4)} USD`, `${Math.round(ms)} ms`]
  }
  if (decision.rule === 'screen') return [...start, '-', '-', '-', '-', '-']
  const { rewards, reward, usd, ms } = decision.numbers
  return [
    ...start,
    digits(rewards?.challenger ?? null),
    digits(rewards?.champion ?? null),
    `${digits(reward.mean)} [${digits(reward.lower)}, ${digits(reward.upper)}]`,
    shareOf(usd),
    shareOf(ms),
  ]
}

const digits = (value: number | null): string => (value === null ? '-' : value.toFixed(3))

/** A difference of logarithms as a change in percent. */
function shareOf({ mean }: Comparison): string {
  if (mean === null) return '-'
  const percent = Math.round(100 * (Math.exp(mean) - 1))
  return `${percent > 0 ? '+' : ''}${percent} %`
}

const indented = (line: string): string => `  ${line}`
