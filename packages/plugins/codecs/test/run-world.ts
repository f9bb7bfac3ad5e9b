import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, type CodecName, createEnvironment, type Manifest } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { codecs } from '@harnesswright/plugin-codecs'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { findWorld, type WorldSize, withLatency } from '@harnesswright/plugin-worlds'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import { speakText } from './speak-text.js'

/** What a cell of the table is made of. */
export interface Cell {
  readonly seed: 'react' | 'plan-and-execute'
  readonly world: string
  readonly size: WorldSize
  readonly codec: Exclude<CodecName, 'auto'>
}

/** What a run came to. */
export interface Outcome {
  readonly reward: number
  readonly steps: number
  readonly modelCalls: number
  readonly ended: string
  /** Replies that could not be read. */
  readonly malformed: number
  /** Characters of all requests as they were sent: messages, calls and tools. */
  readonly sentChars: number
}

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
])

function manifestOf({ seed, codec }: Cell): Manifest {
  const file = new URL(`../../../seeds/${seed}/manifest.json`, import.meta.url)
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), codec }
}

/** Runs a seed on a task of a world, with real files, on sim-mid; with a codec of text sim-mid reads and writes text alone. */
export async function runWorld(cell: Cell, rng: number): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'codecs-'))
  const { workspaces, id, tools, close } = openWorkspace(directory)
  let sentChars = 0
  try {
    const generated = findWorld(cell.world).generate({ size: cell.size, rng })
    const jail = workspaces.jail(id)
    for (const file of generated.task.files ?? []) jail.write(file.path, file.text ?? '')
    const sim = createSimModel({ profile: 'sim-mid' })
    const spoken = cell.codec === 'native' ? sim : speakText(sim, cell.codec)
    const env = createEnvironment({
      model: {
        ...spoken,
        async generate(request, options) {
          for (const { content, toolCalls } of request.messages)
            sentChars += content.length + JSON.stringify(toolCalls ?? '').length
          for (const { execute: _, ...tool } of request.tools ?? []) sentChars += JSON.stringify(tool).length
          return await spoken.generate(request, options)
        },
      },
      codecs,
      tools: [...tools.map((tool) => withLatency(tool, generated.toolLatencyMs)), ...generated.tools],
      clock: createVirtualClock(),
      workspaces,
      workspace: id,
      limits: { steps: generated.stepLimit, tokens: 20_000_000 },
    })
    const result = await (await assemble(manifestOf(cell), { catalog, env })).run(generated.task, { seed: rng }).result
    const readFile = async (path: string): Promise<string | undefined> => {
      try {
        return jail.readText(path)
      } catch {
        return undefined
      }
    }
    const { reward } = await generated.check({ answer: result.answer, readFile })
    return {
      reward,
      steps: result.steps.length,
      modelCalls: result.spent.modelCalls,
      ended: result.reason ?? result.status,
      malformed: result.steps.filter(({ action }) => action.reply?.malformed !== undefined).length,
      sentChars,
    }
  } finally {
    close()
    rmSync(directory, { recursive: true, force: true })
  }
}
