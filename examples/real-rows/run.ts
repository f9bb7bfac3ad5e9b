// Rows of public benchmarks on a small model in this process. Nothing is fetched: rows and weights are to be there.
//   HARNESSWRIGHT_DATA=<folder of rows> HARNESSWRIGHT_WEIGHTS=<folder of weights> npm run real-rows -w examples -- --out results.jsonl
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLlamaModel, type LlamaModel } from '@harnesswright/plugin-model-llama'
import { CATEGORIES, type Category } from './src/bfcl/rows.js'
import { bfcl } from './src/bfcl/suite.js'
import { gsm8k, takeCalculator } from './src/gsm8k.js'
import { HARNESSES, type HarnessName } from './src/harnesses.js'
import { noRows } from './src/read-rows.js'
import { openResults } from './src/results.js'
import { runRow } from './src/run-row.js'
import type { Suite } from './src/suite.js'
import { summarise } from './src/summary.js'

const OPTIONS = {
  suite: { type: 'string', default: 'gsm8k' },
  harness: { type: 'string', default: 'react' },
  model: { type: 'string', default: 'smollm2-135m-instruct' },
  rows: { type: 'string', default: '20' },
  steps: { type: 'string', default: '4' },
  tokens: { type: 'string', default: '4000' },
  parallel: { type: 'boolean', default: false },
  out: { type: 'string', default: 'results.jsonl' },
  summary: { type: 'boolean', default: false },
} as const

const { values } = parseArgs({ options: OPTIONS })
const results = openResults(values.out)
if (!values.summary) await runRows()
console.log(summarise(results.all))

async function runRows(): Promise<void> {
  if (noRows !== undefined) throw new Error(`${noRows}: see README.md`)
  const harness = HARNESSES.find((name) => name === values.harness)
  if (harness === undefined) throw new Error(`--harness is one of ${HARNESSES.join(', ')}`)
  const scratch = mkdtempSync(join(tmpdir(), 'real-rows-'))
  const model = createLlamaModel({
    weights: values.model,
    folder: process.env['HARNESSWRIGHT_WEIGHTS'] ?? 'node_modules/.cache/weights',
    contextTokens: 4_096,
    maxOutputTokens: 128,
    threads: 1,
  })
  try {
    if (values.suite === 'gsm8k') await runSuite(gsm8k(takeCalculator(scratch)), harness, model)
    else
      await runSuite(
        bfcl(categoryOf(values.suite), (warning) => console.error(`schema: ${warning}`)),
        harness,
        model,
      )
  } finally {
    await model.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function categoryOf(name: string): Category {
  const category = CATEGORIES.find((one) => `bfcl:${one}` === name)
  if (category === undefined) throw new Error(`--suite is gsm8k or one of bfcl:${CATEGORIES.join(', bfcl:')}`)
  return category
}

async function runSuite<Row extends { readonly id: string }>(
  suite: Suite<Row>,
  harness: HarnessName,
  model: LlamaModel,
): Promise<void> {
  const { rows, steps, tokens, parallel } = values
  const options = { steps: Number(steps), tokens: Number(tokens), parallel }
  // So that loading is no part of the first row's time.
  const signal = new AbortController().signal
  await model.generate({ purpose: 'act', messages: [{ role: 'user', content: 'Hello.' }], maxTokens: 1 }, { signal })
  for (const row of suite.rows.slice(0, Number(rows))) {
    if (results.has({ suite: suite.name, harness, model: model.id, id: row.id })) continue
    const result = await runRow(suite, row, { harness, model, options })
    results.add(result)
    const { id, status, reason = '', reward, detail, inputTokens, outputTokens, seconds } = result
    console.log(
      `${id}: ${status} ${reason} reward ${reward} (${detail}), ${inputTokens + outputTokens} tokens, ${seconds} s`,
    )
  }
}
