import { createEnvironment } from '@harnesswright/core'
import { assembleModules, createScriptedModel, type Script } from '@harnesswright/core/testkit'
import { expect, test } from 'vitest'
import { openWorkspace } from '../src/workspaces/open-workspace.js'
import { makeTemporaryDirectory } from './temporary-directory.js'

test('a run reads, searches, calculates and writes in its workspace, and is told what went wrong', async () => {
  const { tools, workspaces, id } = openWorkspace(makeTemporaryDirectory(), { limits: { patternTimeoutMs: 30_000 } })
  workspaces.jail(id).write('data/prices.csv', 'apple,1.20\npear,0.10\n')
  const script: readonly Script[] = [
    { call: 'list_files', with: {} },
    { call: 'read_file', with: { path: 'data/price.csv' } },
    { call: 'read_file', with: { path: 'data/prices.csv', offset: 2 } },
    { call: 'search_files', with: { query: '^a.*\\d$', pattern: true } },
    { call: 'calculator', with: { expression: '1.20 + 0.10' } },
    { call: 'write_file', with: { path: '../answer.txt', content: '1.3' } },
    { call: 'write_file', with: { path: 'out/answer.txt', content: '1.3' } },
    { call: 'read_file', with: { path: 'out/answer.txt', ofset: 1 } },
    'done',
  ]
  const env = createEnvironment({ model: createScriptedModel(script), tools, workspaces, workspace: id })

  const { status, error, steps } = await (await assembleModules({}, env)).run({ instruction: 'Add the prices.' }).result

  expect({ status, error }).toEqual({ status: 'answered' })
  expect(steps.flatMap((step) => step.observations.map(({ content }) => content.split('\n')[0]))).toEqual([
    'data/prices.csv (21 bytes)',
    expect.stringMatching(/^error.*no file "data\/price\.csv".*Nearest: "data\/prices\.csv"/),
    'pear,0.10',
    'data/prices.csv:1: apple,1.20',
    '1.3',
    expect.stringMatching(/^error.*"\.\.\/answer\.txt" has "\.\."/),
    'Wrote 3 bytes to out/answer.txt, a new file.',
    expect.stringMatching(/^error.*ofset/),
  ])
  expect(workspaces.jail(id).readText('out/answer.txt')).toBe('1.3')
})
