import type { ModelInfo } from '@harnesswright/core'
import { simModels } from '@harnesswright/plugin-model-sim'
import type { Arguments } from '../args/parse-arguments.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { formatCount, formatTable } from '../text/format.js'
import { printListing, refuseWords } from './list-command.js'

/** `models`: what `--model` takes. */
export async function modelsCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const models = simModels()
  const rows = [['model', 'window', 'USD per million in / cached / out', 'kind'], ...models.map(describeModel)]
  const lines = [
    ...formatTable(rows),
    '',
    'A simulated model is no language model: it reads the tasks of --world and no others, and its prices are simulated too.',
    'Models of endpoints come with @harnesswright/plugin-model-openai, which is not part of this version.',
  ]
  printListing({ json: { models }, lines }, args, io)
  return EXIT.ok
}

function describeModel({ id, contextWindow, price, simulated }: ModelInfo): string[] {
  const window = contextWindow === undefined ? 'unknown' : formatCount(contextWindow)
  const cost = price === undefined ? 'unknown' : `${price.input} / ${price.cached ?? price.input} / ${price.output}`
  return [id, window, cost, simulated === true ? 'simulated' : 'endpoint']
}
