import { Worker } from 'node:worker_threads'

/** Longest that a pattern may take, in ms. */
const MATCH_MS = 500

/** What the worker does: plain code, as there is no file of it in a build of another name. */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.postMessage(new RegExp(workerData.pattern, 'u').test(workerData.text))
`

/**
 * Whether a pattern is found in a text, tried in a thread of its own: one that takes longer than 500 ms is ended, and counts as
 * not found.
 */
export async function matchesWithin(pattern: string, text: string, ms: number = MATCH_MS): Promise<boolean> {
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { pattern, text },
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    execArgv: [],
    env: {},
  })
  try {
    return await new Promise<boolean>((resolve) => {
      let timer: NodeJS.Timeout | undefined
      worker.once('online', () => {
        timer = setTimeout(() => resolve(false), ms)
      })
      worker.once('message', (found: unknown) => {
        clearTimeout(timer)
        resolve(found === true)
      })
      worker.once('error', () => {
        clearTimeout(timer)
        resolve(false)
      })
    })
  } finally {
    await worker.terminate()
  }
}
