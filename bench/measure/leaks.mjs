// What runs leave behind: heap, open handles and listeners after 200 runs and after 1,000. { file, baseUrl, steps }
import { getEventListeners } from 'node:events'
import { collectGarbage, readyRun, report } from './report.mjs'

const WIDTH = 20
const { signal } = new AbortController() // one for all runs, as a server would have it
const run = await readyRun({ signal })

async function runTimes(runs) {
  for (let made = 0; made < runs; made += WIDTH) await Promise.all(Array.from({ length: WIDTH }, run))
  await collectGarbage()
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    listeners: getEventListeners(signal, 'abort').length + ofProcess,
  }
}

report({ early: await runTimes(200), late: await runTimes(800) })
