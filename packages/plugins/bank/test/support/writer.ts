// A process that appends evaluations: <directory> <name> <count> [<index>]. It says on standard output how far it has come.
import { isHarnessError } from '@harnesswright/core'
import { type IndexChoice, openBank } from '../../src/index.js'
import { anEvaluation } from './entries.js'

const [directory = '', name = '', count = '0', index = 'memory'] = process.argv.slice(2)

try {
  const bank = await openBank({ directory, index: index as IndexChoice })
  process.stdout.write('open\n')
  for (let at = 0; at < Number(count); at += 1) {
    await bank.addEvaluations([anEvaluation(`${name}-${at}`, name)])
    process.stdout.write(`${name}-${at}\n`)
  }
  await bank.close()
} catch (error) {
  process.stdout.write(`${isHarnessError(error) ? `${error.code} ${error.message}` : String(error)}\n`)
  process.exitCode = 1
}
