import {
  assemble,
  createEnvironment,
  type Json,
  type Manifest,
  type ModelRequest,
  type Tool,
} from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, resumeLaw, type Script } from '@harnesswright/core/testkit'
import { expect, test } from 'vitest'
import { aTool, catalog, offered, seedWith, use } from './support/harness.js'

const TOOLS: readonly Tool[] = [
  aTool('read_page', 'Reads a page of the book.'),
  aTool('count_words', 'Counts the words of a page.'),
  aTool('write_report', 'Writes the report about the book.'),
  ...Array.from({ length: 12 }, (_, index) => aTool(`gadget_${index}`, `Turns knob ${index}.`)),
]
const SKILLS = [{ name: 'reports', description: 'How reports are written.', text: 'Be brief.' }]
const GOALS = ['Read a page', 'Count words', 'Write the report'].map((text, index) => ({ id: `${index + 1}`, text }))

const retrieval = use('retrieval', { top: 2, hits: 2 })
const gated = use('gated', { top: 2, always: ['write_report'] })
const sequenced = use('sequenced', { order: ['read_page', 'count_words', 'write_report'], tries: 1 })
const skills = use('skills')

/** Calls as a step makes them: what is demanded, else a search, a skill, and then whatever is on offer. */
function act(request: ModelRequest, step: number): Script {
  if (step > 6) return 'The report is written.'
  const names = offered(request)
  const { choice } = request
  if (typeof choice === 'object') return { call: choice.tool, with: { text: `${step}` }, say: `Step ${step}.` }
  if (step === 1 && names.includes('find_tools')) return { call: 'find_tools', with: { query: 'count words' } }
  if (step === 2 && names.includes('load_skill')) return { call: 'load_skill', with: { skill: 'reports' } }
  return {
    call: names[step % names.length] ?? 'read_page',
    with: { text: `${step}` },
    say: `Step ${step} of the report.`,
  }
}

/** Once it has replied to a request the model replies the same, in every process. */
function replies(): (request: ModelRequest) => Script {
  const said = new Map<string, Script>()
  let steps = 0
  return (request) => {
    const key = JSON.stringify(request)
    const known = said.get(key)
    if (known !== undefined) return known
    const reply = request.purpose === 'act' ? act(request, ++steps) : planReply(request, steps)
    said.set(key, reply)
    return reply
  }
}

function planReply({ purpose }: ModelRequest, done: number): string {
  const status = (index: number): Json => (index * 2 < done ? 'done' : 'open')
  return JSON.stringify({
    goals: GOALS.map((goal, index) => ({ ...goal, ...(purpose === 'review' && { status: status(index) }) })),
  })
}

test.each([
  ['retrieval', 'react', [retrieval]],
  ['retrieval', 'plan-and-execute', [retrieval]],
  ['gated', 'react', [gated]],
  ['gated', 'plan-and-execute', [gated]],
  ['sequenced', 'react', [sequenced]],
  ['sequenced', 'plan-and-execute', [sequenced]],
  ['skills', 'react', [skills]],
  ['skills', 'plan-and-execute', [skills]],
  ['all four', 'react', [retrieval, sequenced, skills]],
  ['all four', 'plan-and-execute', [gated, retrieval, sequenced, skills]],
] as const)(
  '%s with the seed %s goes on from every point at which something was durable, as if nothing had happened',
  {
    timeout: 60_000,
  },
  async (_, seed, capability) => {
    const shipped = seedWith(seed, capability)
    const planning = { use: '@harnesswright/seed-plan-and-execute#planning', with: { reviewEvery: 2 } }
    const manifest: Manifest = seed === 'react' ? shipped : { ...shipped, planning }
    const reply = replies()
    const { faults, points } = await resumeLaw({
      task: 'Write a report about the book.',
      seed: 3,
      async fresh(journal) {
        const model = createScriptedModel([], { after: reply })
        const clock = createVirtualClock()
        const env = createEnvironment({
          model,
          tools: TOOLS,
          skills: SKILLS,
          clock,
          strict: true,
          newId: () => 'law',
          journal,
        })
        return { harness: await assemble(manifest, { catalog, env }), requests: model.requests }
      },
    })

    expect(faults).toEqual([])
    expect(points).toBeGreaterThan(8)
  },
)
