import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { expect, test } from 'vitest'
import { assembled, divided, playing, subtasks, TASK } from './tree.js'

test('parts of one layer do not see what the others write, and those after it see all of it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'roma-'))
  const { workspaces, id, tools, close } = openWorkspace(directory)
  try {
    const write = (path: string) => ({
      act: [{ call: 'write_file', with: { path, content: path } }, { call: 'list_files' }, 'written'],
    })
    const parts = {
      [TASK]: divided(subtasks(['Write a.', 'Write b.', 'Look.'], { 3: [1, 2] })),
      'Write a': write('a.txt'),
      'Write b': write('b.txt'),
      Look: { act: [{ call: 'list_files' }, 'seen'] },
    }
    const harness = await assembled(playing(parts), undefined, { tools, workspaces, workspace: id })
    const { children, status } = await harness.run(TASK).result
    const listed = (path: string): string => String(children[path]?.steps.at(-2)?.observations[0]?.content)

    expect(status).toBe('answered')
    expect(listed('1.1')).toMatch(/^a\.txt \(5 bytes\)$/)
    expect(listed('1.2')).toMatch(/^b\.txt \(5 bytes\)$/)
    expect(listed('2.3')).toMatch(/a\.txt[\s\S]*b\.txt/)
    expect(
      workspaces
        .jail(id)
        .list()
        .map(({ path }) => path),
    ).toEqual(['a.txt', 'b.txt'])
  } finally {
    close()
    rmSync(directory, { recursive: true, force: true })
  }
})
