import type { Manifest } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { acts, aTool, observations, offered, runScript, seedWith, use } from './support/harness.js'

const TOOLS = [
  aTool('search_web', 'Searches the web for pages.'),
  aTool('read_file', 'Reads a file.'),
  aTool('write_file', 'Writes a file.'),
  aTool('check_sum', 'Checks a sum of numbers.'),
]
const GOALS = [
  { id: '1', text: 'Search the web for prices' },
  { id: '2', text: 'Write the report file' },
  { id: '3', text: 'Check the sum' },
]

/** A harness whose plan is reviewed at every second step: one more goal is then done. */
async function runGoals(options: object, acting: readonly string[]) {
  const seed = seedWith('plan-and-execute', use('gated', options as never))
  const planning = { use: '@harnesswright/seed-plan-and-execute#planning', with: { reviewEvery: 2 } }
  const review = (done: number): string => {
    const status = (index: number) => (index < done ? 'done' : index === done ? 'active' : 'open')
    return JSON.stringify({ goals: GOALS.map((goal, index) => ({ ...goal, status: status(index) })) })
  }
  return await runScript({
    manifest: { ...seed, planning } as Manifest,
    tools: TOOLS,
    script: {
      plan: [JSON.stringify({ goals: GOALS })],
      review: [review(1), review(2), review(3)],
      act: [...acting.map((call) => ({ call })), 'done'],
    },
  })
}

describe('tools of the current goal', () => {
  test('are those of its gates, and no others are sent', async () => {
    const gates = [
      { goal: 'web prices', tools: ['search_web'] },
      { goal: 'report', tools: ['write_file', 'read_file'] },
      { goal: 'sum', tools: ['check_sum'] },
    ]
    const run = await runGoals({ gates }, [
      'search_web',
      'write_file',
      'read_file',
      'check_sum',
      'check_sum',
      'check_sum',
    ])

    expect(acts(run).map(offered)).toEqual([
      ['search_web'],
      ['read_file', 'write_file'],
      ['read_file', 'write_file'],
      ['check_sum'],
      ['check_sum'],
      ['check_sum'], // every goal is settled: those of the last one stay
      ['check_sum'],
    ])
    expect(run.result.status).toBe('answered')
  })

  test('are those that fit its text, where it has no gate', async () => {
    const run = await runGoals({ top: 1 }, ['search_web', 'write_file', 'write_file'])

    expect(
      acts(run)
        .map(offered)
        .map(([first]) => first),
    ).toEqual(['search_web', 'write_file', 'write_file', 'check_sum'])
  })

  test('come with those that are always on offer, and with those of goals ahead', async () => {
    const run = await runGoals({ top: 1, always: ['read_file'], ahead: 1 }, ['search_web'])

    expect(acts(run).map(offered)).toEqual([
      ['search_web', 'read_file', 'write_file', 'find_goal_tools'],
      ['read_file', 'write_file', 'check_sum', 'find_goal_tools'],
    ])
  })

  test('are the only ones that can be called: the model is told which these are', async () => {
    const run = await runGoals({ top: 1 }, ['write_file'])

    expect(observations(run, 1)[0]).toContain('the tool "write_file" is not on offer now')
    expect(observations(run, 1)[0]).toContain('on offer: find_goal_tools, search_web')
  })
})

describe('a search for further tools', () => {
  const search = (query: string) => ({ call: 'find_goal_tools', with: { query } })

  /** A run along one goal, and then another, with as many tools as it takes to choose among them. */
  async function runSearch(options: object, acting: readonly object[]) {
    const knobs = Array.from({ length: 9 }, (_, index) => aTool(`gadget_${index}`, `Turns knob ${index}.`))
    const goals = GOALS.slice(0, 2)
    return await runScript({
      manifest: {
        ...seedWith('plan-and-execute', use('gated', options as never)),
        planning: { use: '@harnesswright/seed-plan-and-execute#planning', with: { reviewEvery: 3 } },
      },
      tools: [...TOOLS, ...knobs],
      task: 'Go on.',
      script: {
        plan: [JSON.stringify({ goals })],
        review: [
          JSON.stringify({ goals: goals.map((goal, index) => ({ ...goal, status: index === 0 ? 'done' : 'active' })) }),
        ],
        act: [...acting, 'done'] as never,
      },
    })
  }

  test('puts what it finds on offer for as long as the goal is the current one', async () => {
    const run = await runSearch({ top: 1 }, [search('check a sum'), { call: 'check_sum' }, { call: 'write_file' }])

    expect(acts(run).map(offered)).toEqual([
      ['search_web', 'find_goal_tools'],
      ['search_web', 'check_sum', 'find_goal_tools'],
      ['write_file', 'find_goal_tools'],
      ['write_file', 'find_goal_tools'],
    ])
    expect(observations(run, 2)).toEqual(['check_sum was used'])
  })

  test('is refused where a gate says which tools the goal has', async () => {
    const gates = [{ goal: 'web', tools: ['search_web', 'read_file'] }]
    const run = await runSearch({ top: 1, gates }, [search('check a sum')])

    expect(run.result.steps[0]?.observations[0]?.ok).toBe(false)
    expect(observations(run, 1)[0]).toContain('the current goal has its tools: search_web, read_file')
  })
})

test('a gate of function words alone belongs to no goal', async () => {
  const run = await runGoals({ top: 1, gates: [{ goal: 'the', tools: ['check_sum'] }] }, [])

  expect(acts(run).map((request) => offered(request)[0])).toEqual(['search_web'])
})

test('without a plan every tool is on offer', async () => {
  const run = await runScript({ manifest: seedWith('react', use('gated')), tools: TOOLS, script: ['done'] })

  expect(offered(run.requests[0])).toEqual(TOOLS.map(({ name }) => name))
})

test('a gate that names a tool that is not there ends the run at once, with its place and the nearest name', async () => {
  const gates = [{ goal: 'report', tools: ['read_file', 'write_fil'] }]
  const { result } = await runScript({
    manifest: seedWith('react', use('gated', { gates })),
    tools: TOOLS,
    script: ['done'],
  })

  expect(result.error?.code).toBe('E_CAPABILITY_TOOL')
  expect(result.error?.message).toContain('The option "gates/0/tools" names the tool "write_fil"')
  expect(result.error?.message).toContain('nearest: write_file')
})
