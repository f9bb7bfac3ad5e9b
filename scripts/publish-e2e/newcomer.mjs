// A person who has the tutorial and an empty folder: types what stands in it, and nothing else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { both } from './programs.mjs'
import { actsOf } from './tutorial.mjs'

const MOST_COMMANDS = 10

/** Replays docs/guide/write-a-module.md. Gives the folder of the package that was written. */
export async function testNewcomer({ root, work, env, step }) {
  const empty = join(work, 'newcomer')
  mkdirSync(empty)
  await step(
    `the tutorial's text alone leads to a module that conforms, in at most ${MOST_COMMANDS} commands`,
    async () => {
      const acts = actsOf(readFileSync(join(root, 'docs/guide/write-a-module.md'), 'utf8'))
      const commands = acts.filter(({ command }) => command !== undefined)
      if (commands.length > MOST_COMMANDS) throw new Error(`${commands.length} commands`)
      const green = await replay(acts, { empty, env: { ...env, HARNESSWRIGHT_HOME: join(work, 'newcomer-home') } })
      const files = acts.length - commands.length
      return `${commands.length} commands and ${files} files; conformance is green after ${green.join(' and ')} commands`
    },
  )
  return join(empty, 'own-words')
}

/** Does the acts; gives after how many commands a run of the conformance kit was green. */
async function replay(acts, { empty, env }) {
  let cwd = empty
  let typed = 0
  const green = []
  for (const { command, file, text } of acts) {
    if (file !== undefined) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true })
      writeFileSync(join(cwd, file), text)
      continue
    }
    typed++
    const folder = /^cd (\S+)$/.exec(command)?.[1]
    if (folder === undefined) {
      const { stdout } = await both('sh', ['-c', command], { cwd, env })
      if (/conformance\.test\.ts.*\d+ test|^\d+ passed, 0 failed/m.test(stdout)) green.push(typed)
    } else {
      cwd = join(cwd, folder)
      if (relative(empty, cwd).startsWith('..')) throw new Error(`"${command}" leaves the folder`)
    }
  }
  if (green.length === 0) throw new Error('the conformance kit did not run')
  return green
}
