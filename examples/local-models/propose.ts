// Manifests that a model in this process proposes, bound by a grammar of a catalog of 44 modules. Nothing is fetched.
//   HARNESSWRIGHT_WEIGHTS=<folder of weights> npm run propose -w examples -- --model smollm2-135m-instruct --count 50
import { parseArgs } from 'node:util'
import { createLlamaModel } from '@harnesswright/plugin-model-llama'
import { largeCatalog } from './src/large-catalog.js'
import { type Proposed, propose } from './src/proposals.js'

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'smollm2-135m-instruct' },
    count: { type: 'string', default: '50' },
    tokens: { type: 'string', default: '400' },
    threads: { type: 'string', default: '1' },
  },
})
const model = createLlamaModel({
  weights: values.model,
  folder: process.env['HARNESSWRIGHT_WEIGHTS'] ?? 'node_modules/.cache/weights',
  contextTokens: 4_096,
  threads: Number(values.threads),
})
const catalog = largeCatalog()
const proposed: Proposed[] = []
try {
  for (let seed = 1; seed <= Number(values.count); seed++) {
    const one = await propose(model, { catalog, seed, maxTokens: Number(values.tokens) })
    proposed.push(one)
    const { isRight, outputTokens, seconds, uses, fault = uses.join(', ') } = one
    console.log(`${seed}: ${isRight ? 'right' : 'wrong'}, ${outputTokens} tokens, ${seconds.toFixed(1)} s, ${fault}`)
  }
} finally {
  await model.close()
}
const tokens = proposed.map(({ outputTokens }) => outputTokens).sort((a, b) => a - b)
const right = proposed.filter(({ isRight }) => isRight)
console.log(
  [
    `${values.model}, ${catalog.modules().length} modules, ${proposed.length} seeds, at most ${values.tokens} tokens a reply:`,
    `${proposed.filter(({ isWhole }) => isWhole).length} whole, ${right.length} right at the first reply`,
    `${new Set(right.map(({ manifestId }) => manifestId)).size} distinct manifest ids, ${new Set(right.flatMap(({ uses }) => uses)).size} modules named`,
    `output tokens: median ${tokens[tokens.length >> 1]}, most ${tokens.at(-1)}`,
  ].join('\n'),
)
