import { type JsonSchema, type Message, renderHeading } from '@harnesswright/core'
import { searchPages, snippetOf } from './page-search.js'
import { FORMS, type Plan, readCheck, readFollowUp, readIntegration, readPlan } from './research-forms.js'

/** A page as a research sees it. */
export interface Page {
  readonly id: number
  readonly abstract: string
  readonly text: string
}

/** How much is looked for. */
interface ResearchLimits {
  readonly rounds: number
  /** Most pages that one round retrieves. */
  readonly topPages: number
  readonly snippetChars: number
}

/** What a research asks, in words. */
interface ResearchPrompts {
  plan(requests: readonly string[]): string
  integrate(needs: readonly string[]): string
  check(): string
  followUp(): string
}

/** What a research works with. */
export interface ResearchSource {
  readonly pages: readonly Page[]
  /** The memory so far; empty when there is none. */
  readonly memory: string
  /** Abstracts that the memory does not hold yet: they go into the first integration. */
  readonly fresh: readonly Page[]
  readonly limits: ResearchLimits
  readonly prompts: ResearchPrompts
  /** Asks the model about something, behind the task; undefined when it could not be asked. */
  ask(schema: JsonSchema, about: readonly Message[], prompt: string): Promise<string | undefined>
}

/**
 * Looks in a run's own pages for what is needed to go on, in rounds: plan, retrieve, integrate, ask whether it is enough, ask what
 * else. It ends early when it is enough, when nothing else is asked for, or when nothing is found that was not seen.
 *
 * @returns The memory afterwards; undefined when nothing was integrated.
 */
export async function research(source: ResearchSource): Promise<string | undefined> {
  const { ask, prompts, limits } = source
  const seen = new Set<number>()
  let integrated: string | undefined
  let requests: readonly string[] = []
  for (let round = 1; round <= limits.rounds; round++) {
    const known = {
      ...source,
      memory: integrated ?? source.memory,
      fresh: integrated === undefined ? source.fresh : [],
    }
    const plan = readPlan((await ask(FORMS.plan, catalogue(known), prompts.plan(requests))) ?? '')
    if (plan === undefined) break
    const found = retrieve(source, plan, requests).filter(({ id }) => !seen.has(id))
    if (found.length === 0 && known.fresh.length === 0) break
    for (const { id } of found) seen.add(id)
    const evidence = [...abstractsOf(known.fresh), ...snippetsOf(found, [...plan.queries, ...requests], limits)]
    const about = [...memoryOf(known.memory), ...asMessage(evidence)]
    const content = readIntegration((await ask(FORMS.integrate, about, prompts.integrate(plan.needs))) ?? '')
    if (content === '') break
    integrated = content
    if (round === limits.rounds || readCheck((await ask(FORMS.check, memoryOf(integrated), prompts.check())) ?? ''))
      break
    requests = readFollowUp((await ask(FORMS.followUp, memoryOf(integrated), prompts.followUp())) ?? '')
    if (requests.length === 0) break
  }
  return integrated
}

/** The pages that a plan asks for: those that it opens, then those that are found. */
function retrieve({ pages, limits }: ResearchSource, plan: Plan, requests: readonly string[]): readonly Page[] {
  const ids = [...plan.pages, ...searchPages(pages, [...plan.queries, ...requests])]
  const byId = new Map(pages.map((page) => [page.id, page]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).slice(0, limits.topPages)
}

/** One line for each page, under its heading. */
export function abstractsOf(pages: readonly Page[]): readonly string[] {
  return pages.map(({ id, abstract }) => `${renderHeading('Page', id)} ${abstract}`)
}

function snippetsOf(pages: readonly Page[], queries: readonly string[], { snippetChars }: ResearchLimits) {
  return pages.map(({ id, text }) => `${renderHeading('Page', id)} ${snippetOf(text, queries, snippetChars)}`)
}

function catalogue({ memory, pages }: ResearchSource): readonly Message[] {
  return [...memoryOf(memory), ...asMessage(abstractsOf(pages))]
}

function memoryOf(memory: string): readonly Message[] {
  return memory === '' ? [] : [{ role: 'user', content: memory }]
}

function asMessage(lines: readonly string[]): readonly Message[] {
  return lines.length === 0 ? [] : [{ role: 'user', content: lines.join('\n') }]
}
