import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunResult } from '@harnesswright/core'
import type { Script } from '@harnesswright/core/testkit'
import { type Jail, openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { expect, test } from 'vitest'
import { assembled, delegate, type Parts, playing, TASK } from './agents.js'

/** A run in a workspace with one file. */
async function inWorkspace(parts: Parts, look: (result: RunResult, jail: Jail) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'recursive-'))
  const { workspaces, id, tools, close } = openWorkspace(directory)
  try {
    workspaces.jail(id).write('notes.txt', 'begun')
    const env = { tools, workspaces, workspace: id }
    const { harness } = await assembled(playing(parts), undefined, env)
    look(await harness.run(TASK).result, workspaces.jail(id))
  } finally {
    close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const write = (path: string, content: string): Script => ({ call: 'write_file', with: { path, content } })
const list: Script = { call: 'list_files' }
const files = ({ children }: RunResult, path: string): string =>
  String(children[path]?.steps.flatMap(({ observations }) => observations).at(-1)?.content)

test('agents that work at once do not see what the others write, and all of it is there afterwards', async () => {
  const parts = {
    [TASK]: [{ calls: [delegate('Write a.'), delegate('Write b.')] }, delegate('Look.'), 'done'],
    'Write a': [write('a.txt', 'A'), list, 'written'],
    'Write b': [write('b.txt', 'B'), list, 'written'],
    Look: [list, 'seen'],
  }
  await inWorkspace(parts, (result, jail) => {
    expect(files(result, '1.1')).not.toContain('b.txt')
    expect(files(result, '1.2')).not.toContain('a.txt')
    expect(files(result, '2.3')).toMatch(/a\.txt[\s\S]*b\.txt[\s\S]*notes\.txt/)
    expect([jail.readText('a.txt'), jail.readText('b.txt')]).toEqual(['A', 'B'])
  })
})

test('what two agents wrote into one file stands as the first wrote it, and the other is told of as a conflict', async () => {
  const parts = {
    [TASK]: [{ calls: [delegate('Write one.'), delegate('Write two.')] }, 'done'],
    'Write one': [write('notes.txt', 'one'), 'written'],
    'Write two': [write('notes.txt', 'two'), 'written'],
  }
  await inWorkspace(parts, ({ steps }, jail) => {
    expect(steps[0]?.observations.map(({ content }) => content.split('\n')[0])).toEqual(['written', 'written'])
    expect(steps[0]?.observations[1]?.content).toMatch(/files that could not be merged:\n- notes\.txt: /)
    expect(jail.readText('notes.txt')).toBe('one')
  })
})
