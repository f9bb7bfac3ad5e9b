// CPU per model call: the median over runs, after runs that are not counted.
// { file, baseUrl, steps, isStream, isStub, warmUps, runs, collects }
import { collectGarbage, cpuMs, options, readyRun, report } from './report.mjs'

const { steps, runs, warmUps, collects } = options
const run = await readyRun()
for (let count = 0; count < warmUps; count++) await run()
if (collects) await collectGarbage()
const perCall = []
for (let count = 0; count < runs; count++) {
  const before = process.cpuUsage()
  await run()
  perCall.push(cpuMs(process.cpuUsage(before)) / (steps + 1))
}
report({ cpuMs: perCall.sort((a, b) => a - b)[runs >> 1] })
