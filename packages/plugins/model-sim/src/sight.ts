import { HarnessError, type Message, type ModelRequest, type Tool } from '@harnesswright/core'
import { type MadeCall, readCalls } from './made-calls.js'
import { indexOfDirective, type Measure, textOf } from './measure.js'
import { MECHANICS } from './profiles.js'
import type { Claim, Goal, Problem, Reader } from './reader.js'
import { readers } from './readers/index.js'
import type { TextReader } from './text-reading.js'

/** A claim at its nearest place in the request. */
export interface SeenClaim extends Claim {
  /** Tokens from there to the end of the request; a part of them for what is no observation. */
  readonly distance: number
}

/** What one request shows. */
export interface Sight {
  readonly reader: Reader
  readonly problem: Problem
  /** Share of the window that is full. */
  readonly fill: number
  /** Every claim in view once, the nearest first. */
  readonly claims: readonly SeenClaim[]
  /** Goals that are named outside the task's statement, each with its nearest distance. */
  readonly named: ReadonlyMap<string, number>
  /** Goals that the directive names, in its order. */
  readonly directed: readonly Goal[]
  /** Keys of the claims that the observations since the last reply brought. */
  readonly fresh: ReadonlySet<string>
  /** The key that a claim of any text has for this task. */
  keyOf(key: string): string
  readonly calls: readonly MadeCall[]
  readonly tools: readonly Tool[]
  readonly messages: readonly Message[]
}

/** The task of a request, and the index of the message that states it. */
interface Statement {
  readonly reader: Reader
  readonly problem: Problem
}

/**
 * Reads a request: its task, and all claims, goals and calls that its messages hold.
 *
 * @throws HarnessError `E_SIM_NO_TASK` when no reader finds a task.
 */
export function lookAt(
  request: ModelRequest,
  measure: Measure,
  looker: { texts: TextReader; windowTokens: number },
): Sight {
  const { messages, tools = [] } = request
  const { texts, windowTokens } = looker
  const { reader, problem } = findTask(messages, texts)
  const calls = readCalls(messages, tools)
  const directive = messages[indexOfDirective(messages)]
  const directed =
    directive === undefined
      ? []
      : texts
          .read(textOf(directive))
          .of(reader)
          .mentions.flatMap((one) => one.goals)
  const places = placesOf(messages, measure)
  return {
    reader,
    problem,
    fill: measure.tokens / windowTokens,
    ...collectClaims({ places, texts, reader, problem, calls }),
    named: collectNamed({ places, texts, reader }),
    directed,
    calls,
    tools,
    messages,
  }
}

/** @throws HarnessError `E_SIM_NO_TASK` when no reader finds a task. */
export function findTask(messages: readonly Message[], texts: TextReader): Statement {
  const asked = messages.filter((message) => message.role === 'user').map((message) => texts.read(textOf(message)))
  const stated = asked.findLast((reading) => reading.task() !== undefined)?.task()
  if (stated !== undefined) return stated
  for (const reader of readers) {
    const goals = asked[0]?.of(reader).mentions.flatMap((mention) => mention.goals) ?? []
    if (goals.length > 0) return { reader, problem: reader.subtask(uniqueGoals(goals)) }
  }
  throw new HarnessError('E_SIM_NO_TASK', {
    message: 'A simulated model was asked something that is no task of a world it can read.',
    hint: `It reads the tasks of these worlds only: ${readers.map((reader) => reader.name).join(', ')}. For any other task use a real model.`,
  })
}

function uniqueGoals(goals: readonly Goal[]): readonly Goal[] {
  return [...new Map(goals.map((goal) => [goal.id, goal])).values()]
}

/** A message with its place in the request. */
interface Place {
  readonly index: number
  readonly role: Message['role']
  readonly text: string
  /** It states the task: what it names is asked for, not planned. */
  readonly isStatement: boolean
  /** Distance of a character of the text from the end of the request, in tokens. */
  distanceOf(char: number): number
}

/** The messages from the last to the first. */
function placesOf(messages: readonly Message[], measure: Measure): readonly Place[] {
  const places: Place[] = []
  const firstAsked = messages.findIndex((message) => message.role === 'user')
  let behind = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    const text = textOf(message)
    const weight = message.role === 'tool' ? 1 : MECHANICS.noteDistance
    const base = behind
    places.push({
      index,
      role: message.role,
      text,
      isStatement: index === firstAsked,
      distanceOf: (char) => (base + (text.length - char) / MECHANICS.charsPerToken) * weight,
    })
    behind += measure.messages[index]?.tokens ?? 0
  }
  return places
}

type Claims = Pick<Sight, 'claims' | 'fresh' | 'keyOf'>

interface ClaimSources {
  readonly places: readonly Place[]
  readonly texts: TextReader
  readonly reader: Reader
  readonly problem: Problem
  readonly calls: readonly MadeCall[]
}

function collectClaims({ places, texts, reader, problem, calls }: ClaimSources): Claims {
  const claims = new Map<string, SeenClaim>()
  const fresh = new Set<string>()
  const outcomes = outcomesOf(calls, problem)
  let isSinceReply = true
  for (const { index, role, text, distanceOf } of places) {
    if (role === 'assistant') isSinceReply = false
    const isFresh = isSinceReply && role === 'tool'
    const add = (claim: Claim, end: number): void => {
      if (!claims.has(claim.key)) claims.set(claim.key, { ...claim, distance: distanceOf(end) })
      if (isFresh) fresh.add(claim.key)
    }
    const outcome = outcomes.get(index)
    if (outcome !== undefined) add(outcome, text.length)
    const { facts } = texts.read(text).of(reader)
    for (let last = facts.length - 1; last >= 0; last--) {
      const fact = facts[last] as (typeof facts)[number]
      add(fact, fact.end)
    }
  }
  return inLightOf(problem, { claims: [...claims.values()], fresh })
}

/** The claims under the keys that they have for this task; of two under one key the nearer one. */
function inLightOf(problem: Problem, { claims, fresh }: Omit<Claims, 'keyOf'>): Claims {
  const meanings = problem.meanings(claims)
  const keyOf = (key: string): string => meanings.get(key) ?? key
  if (meanings.size === 0) return { claims, fresh, keyOf }
  const meant = new Map<string, SeenClaim>()
  for (const claim of claims) {
    const key = keyOf(claim.key)
    if (!meant.has(key)) meant.set(key, { ...claim, key })
  }
  return { claims: [...meant.values()], fresh: new Set([...fresh].map(keyOf)), keyOf }
}

/** What follows from the calls that did not fail, by the message of their result. */
function outcomesOf(calls: readonly MadeCall[], problem: Problem): ReadonlyMap<number, Claim> {
  const outcomes = new Map<number, Claim>()
  for (const { intent, resultAt, failed } of calls) {
    if (intent === undefined || resultAt < 0 || failed) continue
    const outcome = problem.outcome(intent)
    if (outcome !== undefined) outcomes.set(resultAt, outcome)
  }
  return outcomes
}

function collectNamed({
  places,
  texts,
  reader,
}: Pick<ClaimSources, 'places' | 'texts' | 'reader'>): ReadonlyMap<string, number> {
  const named = new Map<string, number>()
  for (const { text, isStatement, distanceOf } of places) {
    const reading = texts.read(text)
    const { mentions } = reading.of(reader)
    if (mentions.length === 0 || isStatement || reading.task() !== undefined) continue
    for (const { goals, start } of mentions) {
      for (const { id } of goals) if (!named.has(id)) named.set(id, distanceOf(start))
    }
  }
  return named
}
