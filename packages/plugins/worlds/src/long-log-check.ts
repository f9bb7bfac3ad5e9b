import type { Json } from '@harnesswright/core'
import { readAnswerObject } from './answer-json.js'
import type { Incident } from './long-log-part.js'
import type { CheckResult } from './world.js'

/** Right less wrong entries over the incidents that there are, never below 0. Whatever is listed twice is wrong once. */
export function checkIncidents(expected: readonly Incident[], answer: Json | undefined): CheckResult {
  if (answer === undefined || answer === null) return { reward: 0, passed: false, detail: 'there is no answer' }
  const listed = readIncidents(answer)
  if (listed === undefined) return { reward: 0, passed: false, detail: 'the answer holds no JSON list "incidents"' }
  const open = new Map(expected.map((incident) => [incident.id, incident]))
  const wrong: string[] = []
  for (const entry of listed) {
    const { id, machine, minutes } = fieldsOf(entry)
    const incident = typeof id === 'string' ? open.get(id) : undefined
    const isRight = incident !== undefined && incident.machine === machine && incident.minutes === minutes
    if (isRight) open.delete(incident.id)
    else wrong.push(String(id))
  }
  return judge({ right: expected.length - open.size, wrong, missing: [...open.keys()], of: expected.length })
}

interface Tally {
  readonly right: number
  readonly wrong: readonly string[]
  readonly missing: readonly string[]
  readonly of: number
}

function judge({ right, wrong, missing, of }: Tally): CheckResult {
  const reward = Math.max(0, right - wrong.length) / of
  const notes = [
    `${right} of ${of} incidents right`,
    ...(wrong.length > 0 ? [`wrong: ${wrong.join(', ')}`] : []),
    ...(missing.length > 0 ? [`not rightly listed: ${missing.join(', ')}`] : []),
  ]
  return { reward, passed: reward === 1, detail: notes.join('; ') }
}

function fieldsOf(entry: unknown): Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
}

function readIncidents(answer: Json): readonly unknown[] | undefined {
  const list = readAnswerObject(answer)?.['incidents']
  return Array.isArray(list) ? list : undefined
}
