// A process of its own, started with a limit of the size of files: it runs until its journal cannot be written, and says how it ended.
import { createFileJournal } from '../src/node/index.js'
import { looking } from './looking.js'

const journal = await createFileJournal(process.argv[2] ?? '')
const { harness } = await looking(40, journal)
const { status, reason, error } = await harness.run('Look at every page.').result
await journal.close()
process.stdout.write(JSON.stringify({ status, reason, error }))
