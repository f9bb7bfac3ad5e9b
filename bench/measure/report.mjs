// What every measurement, a process of its own, has in common. Its last argument says what to measure, as JSON.

export const options = JSON.parse(process.argv[2])

/** The loop that is measured, ready to run; each run must make as many calls as it has steps. */
export async function readyRun(extra = {}) {
  const { file, baseUrl, steps, isStream, isStub } = options
  if (isStub) (await import('../server/stub-fetch.mjs')).installStubFetch() // before a package keeps the one that is there
  const { setup } = await import(file)
  const run = await setup({ baseUrl, steps, isStream, isStub, ...extra })
  return async () => {
    const { calls } = await run()
    if (calls !== steps) throw new Error(`made ${calls} calls, expected ${steps}`)
  }
}

export const cpuMs = ({ user, system }) => (user + system) / 1_000

/** Two collections with a pause, so that what is freed late is freed too. */
export async function collectGarbage() {
  globalThis.gc()
  await new Promise((resolve) => setTimeout(resolve, 200))
  globalThis.gc()
}

/** Prints the result and ends, whatever a client keeps open. */
export function report(result) {
  process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit(0))
}
