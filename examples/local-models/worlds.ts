// Small tasks of the worlds on models in this process, by seed and codec. Nothing is fetched.
//   HARNESSWRIGHT_WEIGHTS=<folder of weights> npm run local-worlds -w examples -- --model gemma-3-270m --out results.jsonl
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createLlamaModel } from '@harnesswright/plugin-model-llama'
import { type Cell, runWorld, type WorldResult } from './src/run-world.js'

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'smollm2-135m-instruct' },
    seeds: { type: 'string', default: 'react,plan-and-execute' },
    tasks: { type: 'string', default: '5' },
    steps: { type: 'string', default: '10' },
    tokens: { type: 'string', default: '40000' },
    seconds: { type: 'string', default: '600' },
    threads: { type: 'string', default: '1' },
    out: { type: 'string', default: 'worlds.jsonl' },
  },
})
const results: WorldResult[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WorldResult)
  : []
const model = createLlamaModel({
  weights: values.model,
  folder: process.env['HARNESSWRIGHT_WEIGHTS'] ?? 'node_modules/.cache/weights',
  contextTokens: 8_192,
  maxOutputTokens: 256,
  threads: Number(values.threads),
})
const limits = { steps: Number(values.steps), tokens: Number(values.tokens), ms: 1_000 * Number(values.seconds) }
try {
  // So that loading is no part of the first task's time.
  const signal = new AbortController().signal
  await model.generate({ purpose: 'act', messages: [{ role: 'user', content: 'Hello.' }], maxTokens: 1 }, { signal })
  for (const cell of cells())
    if (!results.some((one) => keyOf(one) === keyOf({ ...cell, model: model.id }))) await run(cell)
} finally {
  await model.close()
}

/** Each task of each world with every seed and codec, before the next task. */
function cells(): readonly Cell[] {
  const rngs = Array.from({ length: Number(values.tasks) }, (_, index) => index + 1)
  return rngs.flatMap((rng) =>
    values.seeds
      .split(',')
      .flatMap((seed) =>
        (['native', 'json', 'marker'] as const).flatMap((codec) =>
          ['quotes', 'lookup-chain'].map((world) => ({ world, seed: seedOf(seed), codec, rng })),
        ),
      ),
  )
}

function seedOf(name: string): Cell['seed'] {
  if (name === 'react' || name === 'plan-and-execute') return name
  throw new Error('--seeds are react, plan-and-execute, or both with a comma')
}

function keyOf({ world, seed, codec, rng, model: id }: Cell & { readonly model: string }): string {
  return [id, world, seed, codec, rng].join(' ')
}

async function run(cell: Cell): Promise<void> {
  const result = await runWorld(cell, model, limits)
  results.push(result)
  appendFileSync(values.out, `${JSON.stringify(result)}\n`)
  const { passed, detail, status, reason = '', steps, toolCalls, seconds } = result
  console.log(
    `${keyOf(result)}: ${status} ${reason} ${passed ? 'passed' : 'failed'} (${detail}), ${steps} steps, ${toolCalls} calls, ${seconds} s`,
  )
}
